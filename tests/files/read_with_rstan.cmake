# A short run, opened by rstan: its means must be those of `gadwall summary`.
#   cmake -DPROGRAM=... -DSAMPLER=... -DWORK=... -DSCRIPT=... -P read_with_rstan.cmake
file(MAKE_DIRECTORY ${WORK})
set(name ${WORK}/${SAMPLER})
execute_process(COMMAND ${PROGRAM} sample funnel --dim 3 --sampler ${SAMPLER} --chains 2 --warmup 300
                        --draws 200 --format csv --out ${name} --force --quiet
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} summary ${name}_1.csv ${name}_2.csv --json OUTPUT_VARIABLE json
                COMMAND_ERROR_IS_FATAL ANY)
set(means "")
foreach(i RANGE 2)
  string(JSON mean GET ${json} parameters ${i} mean)
  list(APPEND means mean=${mean})
endforeach()
execute_process(COMMAND Rscript ${SCRIPT} ${name}_1.csv ${name}_2.csv ${means}
                COMMAND_ERROR_IS_FATAL ANY)
