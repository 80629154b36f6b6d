# Toolchain file of the wasm presets: finds Emscripten and hands over to its own toolchain file.
#
# Looked for in this order: the compiler in the environment variable EMCC (set by build-wasm.sh), emcc
# on PATH, the one that build-wasm.sh put into .toolchain/.

if(NOT VRAMSCOPE_EMSCRIPTEN_ROOT)
    if(DEFINED ENV{EMCC})
        set(emcc "$ENV{EMCC}")
    else()
        find_program(emcc emcc NO_CACHE)
    endif()
    if(NOT emcc)
        file(GLOB emcc "${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/emscripten-*/emcc")
    endif()
    if(NOT emcc)
        message(FATAL_ERROR "No Emscripten: neither emcc on PATH nor one in .toolchain/. "
            "./build-wasm.sh sets one up, or install the Emscripten SDK 3.1.69 or newer.")
    endif()
    get_filename_component(emcc "${emcc}" REALPATH)
    get_filename_component(root "${emcc}" DIRECTORY)
    if(NOT EXISTS "${root}/cmake/Modules/Platform/Emscripten.cmake")
        # A wrapper somewhere else (Homebrew): emcmake names the folder in what it would run.
        execute_process(COMMAND "${root}/emcmake" echo OUTPUT_VARIABLE root ERROR_VARIABLE said)
        string(REGEX REPLACE ".*-DCMAKE_TOOLCHAIN_FILE=(.*)/cmake/Modules/Platform/Emscripten.cmake.*" "\\1"
            root "${root}")
    endif()
    set(VRAMSCOPE_EMSCRIPTEN_ROOT "${root}" CACHE PATH "The folder of Emscripten")
endif()
# Try-compile projects read this file too and must find the same one.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES VRAMSCOPE_EMSCRIPTEN_ROOT)
include("${VRAMSCOPE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
