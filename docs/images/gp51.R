# Draws docs/images/gp51.png: the covariance of gp51 and the one gadmala learnt, from its draws file.
#   gadwall sample gp51 --learning-rate 1e-3 --warmup 200000 --chains 1 --out gp51
#   Rscript docs/images/gp51.R gp51_1.csv docs/images/gp51.png
arguments <- commandArgs(trailingOnly = TRUE)
lines <- readLines(arguments[1], n = 400)
at <- grep("Elements of inverse mass matrix", lines)
learnt <- t(sapply(strsplit(sub("^# ", "", lines[at + 1:51]), ","), as.numeric))
grid <- seq(0, 4, length.out = 51)
true <- exp(-outer(grid, grid, "-")^2 / (2 * 0.16)) + diag(0.01, 51)
scale <- sum(learnt * true) / sum(learnt^2)  # a proposal is smaller than the target, by design
error <- sqrt(sum((scale * learnt - true)^2) / sum(true^2))
cat(sprintf("relative Frobenius error at the best scale (%.3f): %.4f\n", scale, error))
png(arguments[2], width = 1500, height = 760, res = 150)
par(mfrow = c(1, 2), mar = c(2, 2, 3, 1), family = "sans")
show <- function(matrix, title) {
  image(grid, grid, matrix, zlim = range(true, scale * learnt), col = hcl.colors(64, "viridis"), asp = 1,
        xlab = "", ylab = "", main = title, useRaster = TRUE)
}
show(true, "the target's covariance (51 x 51)")
show(scale * learnt, sprintf("learnt by gadmala, rescaled: error %.3f", error))
invisible(dev.off())
