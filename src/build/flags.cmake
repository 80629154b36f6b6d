# Compiler and linker flags: one function per policy, each with its reason.

set(vramscope_optimized "$<NOT:$<CONFIG:Debug>>")

# For all code of ours.
function(vramscope_code_flags target)
    vramscope_warnings(${target})
    vramscope_same_numbers(${target})
    vramscope_sanitizers(${target})
    vramscope_wasm_code(${target})
endfunction()

# Implicit conversions lose bytes silently, so they are written out; nothing is left as a warning.
function(vramscope_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wsign-conversion
        # GCC 12 takes the names of a scoped enumeration for shadows of global ones.
        $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
        -Wnon-virtual-dtor $<$<BOOL:${VRAMSCOPE_WERROR}>:-Werror>)
    # GCC 12 sees overlapping copies in "text" + std::string (its bug 105651).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
    # With sanitizers GCC loses track of what <regex> and <functional> have initialised.
    if(VRAMSCOPE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
endfunction()

# Native and WebAssembly results are the same to the bit: no fused multiply-add, which x86-64 and
# arm64 may have and WebAssembly has not, and nothing that reorders floating-point arithmetic.
function(vramscope_same_numbers target)
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math)
endfunction()

# The WebAssembly build has neither (about 50 KB less); compiling the layers so natively too keeps
# them honest. Tests and the command line may use both.
function(vramscope_without_exceptions target)
    target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
endfunction()

# Preset native-asan: a bad access or undefined arithmetic ends the test at once. The check of dynamic
# types needs RTTI, which the layers do not have.
function(vramscope_sanitizers target)
    if(VRAMSCOPE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize=vptr
            -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize=vptr)
    endif()
endfunction()

# Small before fast: the page's first load counts, one estimate takes microseconds either way.
# Optimised across all files (-flto) when linked.
function(vramscope_wasm_code target)
    if(EMSCRIPTEN)
        target_compile_options(${target} PRIVATE
            $<${vramscope_optimized}:-Oz> $<${vramscope_optimized}:-flto>
            # Known to every browser that has 64-bit integers at the JavaScript boundary (2021): no
            # range checks around float to integer, memory.copy instead of loops. 11 KB less.
            -mnontrapping-fptoint -mbulk-memory
            # One thread, and the page never ends.
            -fno-threadsafe-statics -fno-c++-static-destructors)
    endif()
endfunction()

# What both WebAssembly modules have in common. Emscripten 3.1.69 to 6.x know all of these.
function(vramscope_module_flags target exports)
    target_link_options(${target} PRIVATE
        $<IF:${vramscope_optimized},-Oz,-O1>
        $<${vramscope_optimized}:-flto>
        -fno-exceptions
        --no-entry                    # started by calls from JavaScript, no main()
        -sMODULARIZE -sEXPORT_ES6     # import make from './core.mjs'
        -sEXPORTED_FUNCTIONS=@${exports}
        -sEXPORTED_RUNTIME_METHODS=HEAPU8
        -sWASM_BIGINT                 # 64-bit arguments as BigInt; npm's Binaryen cannot split them
        -sALLOW_MEMORY_GROWTH         # a catalog or an atlas may need more than the first 16 MB
        -sSTACK_SIZE=524288           # the default of 64 KB is little for a JSON document
        -sMALLOC=emmalloc             # 8 KB smaller than dlmalloc, one thread
        -sFILESYSTEM=0                # files come in as bytes
        -sDYNAMIC_EXECUTION=0         # no eval: the page's policy forbids it
        -sSUPPORT_LONGJMP=0
        -sERROR_ON_UNDEFINED_SYMBOLS=1
        $<${vramscope_optimized}:--profiling-funcs> # names, for vramscope_sorted_functions()
        $<IF:${vramscope_optimized},-sASSERTIONS=0,-sASSERTIONS=2>
        $<$<CONFIG:Debug>:-sSTACK_OVERFLOW_CHECK=2>
        $<$<CONFIG:Debug>:-g>)
    vramscope_stack_placement(${target})
endfunction()

# Functions of one class or namespace side by side look alike: 3 % less when compressed. The names are
# dropped then.
function(vramscope_sorted_functions target)
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
        return()
    endif()
    execute_process(COMMAND "${VRAMSCOPE_EMSCRIPTEN_ROOT}/em-config" BINARYEN_ROOT
        OUTPUT_VARIABLE binaryen OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(wasm "$<TARGET_FILE_DIR:${target}>/$<TARGET_FILE_BASE_NAME:${target}>.wasm")
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND "${binaryen}/bin/wasm-opt" "${wasm}" -o "${wasm}" --enable-bulk-memory
            --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals
            --reorder-functions-by-name --strip-debug
        VERBATIM)
endfunction()

# tools.json: what web/site.mjs divides the page's module with, or "". Debian has it in another package
# than the rest of Binaryen's tools here.
function(vramscope_note_tools)
    execute_process(COMMAND "${VRAMSCOPE_EMSCRIPTEN_ROOT}/em-config" BINARYEN_ROOT
        OUTPUT_VARIABLE binaryen OUTPUT_STRIP_TRAILING_WHITESPACE)
    find_program(VRAMSCOPE_WASM_SPLIT wasm-split HINTS "${binaryen}/bin" NO_CMAKE_FIND_ROOT_PATH)
    set(wasm_split "")
    if(VRAMSCOPE_WASM_SPLIT)
        set(wasm_split "${VRAMSCOPE_WASM_SPLIT}")
    endif()
    file(WRITE "${PROJECT_BINARY_DIR}/tools.json" "{\"wasm_split\": \"${wasm_split}\"}\n")
endfunction()

# The page's module: a browser with WebGL2.
function(vramscope_page_flags target)
    target_link_options(${target} PRIVATE
        -sENVIRONMENT=web
        -sEXPORT_NAME=createApp
        # Only what the page uses of Emscripten's script: it gives the compiled module itself.
        -sINCOMING_MODULE_JS_API=instantiateWasm,onAbort
        # All browsers that have what the code needs anyway (2021).
        -sMIN_CHROME_VERSION=90 -sMIN_FIREFOX_VERSION=90 -sMIN_SAFARI_VERSION=150000
        -sTEXTDECODER=2
        # Functions with one caller stay apart, so that what the first answer does not call can be left
        # to the module's second part (web/split.mjs).
        $<${vramscope_optimized}:-sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=60>)
endfunction()

# The module without a canvas: browsers, workers and Node.
function(vramscope_library_flags target)
    target_link_options(${target} PRIVATE -sENVIRONMENT=web,worker,node -sEXPORT_NAME=createCore)
endfunction()

# The command line in Node, on the real file system.
function(vramscope_node_flags target)
    target_link_options(${target} PRIVATE
        $<IF:${vramscope_optimized},-Oz,-O1>
        $<${vramscope_optimized}:-flto>
        -fexceptions # by JavaScript: the libraries that Debian has built
        -sSUPPORT_LONGJMP=0
        -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=createCommand
        -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME
        -sEXPORTED_RUNTIME_METHODS=ENV # where the catalog lies
        -sWASM_BIGINT -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1048576 -sASSERTIONS=0)
    vramscope_stack_placement(${target})
endfunction()

# The test program runs in Node and reads the real file system. It is linked with little optimisation:
# the code under test was compiled as it is shipped.
function(vramscope_wasm_test_flags target)
    target_link_options(${target} PRIVATE
        -O1
        -fno-exceptions
        -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME
        -sWASM_BIGINT -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1048576 -sASSERTIONS=1)
    vramscope_stack_placement(${target})
endfunction()

# LLVM 22 and newer put the stack below the data; Emscripten 6's JavaScript expects the old order
# unless it asked for the new one itself.
function(vramscope_stack_placement target)
    include(CheckLinkerFlag)
    check_linker_flag(CXX -Wl,--no-stack-first VRAMSCOPE_HAS_NO_STACK_FIRST)
    if(VRAMSCOPE_HAS_NO_STACK_FIRST)
        target_link_options(${target} PRIVATE -Wl,--no-stack-first)
    endif()
endfunction()
