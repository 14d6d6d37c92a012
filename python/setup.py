"""One wheel for every Python 3 of this platform: it holds the shared library.

The library is $GADWALL_LIBRARY, or that of the build tree. Where glibc-hwcaps lies beside it, with
libraries for kinds of processors, these come with it, and libgadwall_chooser.so, which takes one.
"""

import os
import re
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent


def version():
    given = re.search(r"project\(gadwall VERSION ([0-9.]+)", (HERE.parent / "CMakeLists.txt").read_text())
    return given[1]


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        built = HERE.parent / "build" / "release" / "libgadwall.so.0"
        library = Path(os.environ.get("GADWALL_LIBRARY") or built)
        if not library.exists():
            raise SystemExit(f"{library}: is not there; build it first: cmake --build --preset release "
                             "--target gadwall_shared")
        package = Path(self.build_lib) / "gadwall"
        shutil.copyfile(library, package / "libgadwall.so.0")
        if (library.parent / "glibc-hwcaps").is_dir():
            shutil.copyfile(library.parent / "libgadwall_chooser.so", package / "libgadwall_chooser.so")
            shutil.copytree(library.parent / "glibc-hwcaps", package / "glibc-hwcaps")


class WheelOfPlatform(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(version=version(), distclass=WithLibrary,
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfPlatform})
