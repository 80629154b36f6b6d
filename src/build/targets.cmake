# What the targets are made of. Sources are found by folder, so that a new file needs no edit here.
#
#   vramscope_library(LAYER [LOWER ...])           static library vramscope_LAYER of src/LAYER
#   vramscope_command_line(NAME)                   the native tool, of src/cli
#   vramscope_node_command_line(NAME FILE)         the same tool as WebAssembly for Node
#   vramscope_web_module(NAME FILE name LAYERS ... [WEBGL])  an ES module with its .wasm
#   vramscope_test_program(NAME)                   all tests that can run on this target

set(vramscope_source "${PROJECT_SOURCE_DIR}/src")

# vramscope_library(LAYER [LOWER ...]): a layer sees its own headers and those of the layers below it.
# A layer without sources yet is an empty library, so that it can be linked all the same. Files named
# browser_*.cpp are for WebAssembly only, *_native.cpp are their stand-ins everywhere else.
function(vramscope_library layer)
    set(target vramscope_${layer})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${vramscope_source}/${layer}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/platform/(imgui|libc)/") # have targets of their own
    if(EMSCRIPTEN)
        list(FILTER sources EXCLUDE REGEX "_native\\.cpp$")
    else()
        list(FILTER sources EXCLUDE REGEX "/browser_[^/]*\\.cpp$")
    endif()
    list(TRANSFORM ARGN PREPEND vramscope_ OUTPUT_VARIABLE lower)
    if(NOT sources)
        set(sources "${PROJECT_BINARY_DIR}/empty.cpp")
        file(TOUCH "${sources}")
    endif()
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC "${vramscope_source}")
    target_link_libraries(${target} PUBLIC ${lower})
    vramscope_code_flags(${target})
    vramscope_without_exceptions(${target})
endfunction()

# The tool's parts beside main.cpp are a library, so that tests can call them.
function(vramscope_command_line target)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${vramscope_source}/cli/*.cpp")
    set(main "${vramscope_source}/cli/main.cpp")
    list(REMOVE_ITEM sources "${main}")
    list(FILTER sources EXCLUDE REGEX "_node\\.cpp$")
    if(NOT EXISTS "${main}")
        return()
    endif()
    add_executable(${target} "${main}")
    vramscope_code_flags(${target})
    set(layers vramscope_pages vramscope_bindings vramscope_app vramscope_report vramscope_catalog vramscope_formats
        vramscope_core vramscope_json vramscope_cli11)
    if(sources)
        add_library(vramscope_cli STATIC ${sources})
        target_compile_definitions(vramscope_cli PRIVATE VRAMSCOPE_VERSION="${PROJECT_VERSION}"
            VRAMSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
        target_link_libraries(vramscope_cli PUBLIC ${layers})
        vramscope_code_flags(vramscope_cli)
        set(layers vramscope_cli)
    endif()
    target_link_libraries(${target} PRIVATE ${layers})
    vramscope_snapshot(${target})
endfunction()

# The static pages' style sheet becomes part of the tool.
function(vramscope_page_style target)
    set(folder "${vramscope_source}/pages")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/style.css")
    file(READ "${folder}/style.css" vramscope_page_style)
    configure_file("${folder}/style.cpp.in" "${PROJECT_BINARY_DIR}/page_style.cpp" @ONLY)
    target_sources(${target} PRIVATE "${PROJECT_BINARY_DIR}/page_style.cpp")
endfunction()

# The tool finds its catalog and texts beside itself, wherever it is called from.
function(vramscope_snapshot target)
    set(catalog "${PROJECT_SOURCE_DIR}/catalog")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${catalog}/*.json")
    set(snapshot "${PROJECT_BINARY_DIR}/catalog.json")
    add_custom_command(OUTPUT "${snapshot}"
        COMMAND ${target} catalog build --catalog "${catalog}" --out "${snapshot}"
        COMMAND ${CMAKE_COMMAND} -E copy_directory "${catalog}/locales" "${PROJECT_BINARY_DIR}/locales"
        COMMAND ${CMAKE_COMMAND} -E copy "${catalog}/hubs.json" "${PROJECT_BINARY_DIR}/hubs.json"
        DEPENDS ${target} ${sources} VERBATIM)
    add_custom_target(catalog_snapshot ALL DEPENDS "${snapshot}")
endfunction()

# Exceptions are for CLI11 only; what is shipped in the page knows none.
function(vramscope_node_command_line target file)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${vramscope_source}/cli/*.cpp")
    list(FILTER sources EXCLUDE REGEX "_native\\.cpp$")
    get_filename_component(base "${file}" NAME_WE)
    get_filename_component(suffix "${file}" LAST_EXT)
    add_executable(${target} EXCLUDE_FROM_ALL ${sources})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${base} SUFFIX ${suffix})
    # No path of this machine goes into what is shipped: without a catalog beside it, ./catalog is read.
    target_compile_definitions(${target} PRIVATE VRAMSCOPE_VERSION="${PROJECT_VERSION}"
        VRAMSCOPE_SOURCE_DIR=".")
    target_link_libraries(${target} PRIVATE vramscope_bindings vramscope_app vramscope_report
        vramscope_catalog vramscope_formats vramscope_core vramscope_json vramscope_cli11)
    vramscope_code_flags(${target})
    target_compile_options(${target} PRIVATE -fexceptions)
    vramscope_node_flags(${target})
endfunction()

# The exported C functions are listed in src/bindings/exports_<target>.txt, one per line.
function(vramscope_web_module target)
    cmake_parse_arguments(module "WEBGL" "FILE" "LAYERS" ${ARGN})
    list(TRANSFORM module_LAYERS PREPEND vramscope_)
    set(exports "${vramscope_source}/bindings/exports_${target}.txt")
    get_filename_component(base "${module_FILE}" NAME_WE)
    get_filename_component(suffix "${module_FILE}" LAST_EXT)
    # An executable needs a source of its own; everything else comes from the layers.
    file(TOUCH "${PROJECT_BINARY_DIR}/empty.cpp")
    add_executable(${target} "${PROJECT_BINARY_DIR}/empty.cpp")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${base} SUFFIX ${suffix}
        LINK_DEPENDS "${exports}")
    vramscope_code_flags(${target})
    vramscope_without_exceptions(${target})
    vramscope_module_flags(${target} "${exports}")
    vramscope_sorted_functions(${target})
    if(module_WEBGL)
        vramscope_page_flags(${target})
        vramscope_note_tools()
    else()
        vramscope_library_flags(${target})
    endif()
    target_link_libraries(${target} PRIVATE ${module_LAYERS} $<TARGET_OBJECTS:vramscope_libc_parts>)
endfunction()

# The C library without what the modules never use (src/platform/libc/parts.cpp).
if(EMSCRIPTEN)
    add_library(vramscope_libc_parts OBJECT "${vramscope_source}/platform/libc/parts.cpp")
    target_include_directories(vramscope_libc_parts PRIVATE "${vramscope_source}")
    vramscope_code_flags(vramscope_libc_parts)
    vramscope_without_exceptions(vramscope_libc_parts)
    # The optimiser thinks it knows what functions of these names do.
    target_compile_options(vramscope_libc_parts PRIVATE -fno-builtin)
endif()

# All tests/**/*_test.cpp, save those with runners of their own (browser, fuzz, bench); as WebAssembly
# those of the layers that need neither a browser nor a process. ctest shows one entry per test file.
function(vramscope_test_program target)
    set(tests "${PROJECT_SOURCE_DIR}/tests")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${tests}/*_test.cpp")
    file(GLOB_RECURSE support CONFIGURE_DEPENDS "${tests}/support/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/tests/(browser|fuzz|bench)/")
    if(EMSCRIPTEN)
        list(FILTER sources EXCLUDE REGEX "/tests/(app|pages|platform|cli)/")
    endif()
    if(NOT sources)
        return()
    endif()
    add_executable(${target} ${sources} ${support})
    target_include_directories(${target} PRIVATE "${tests}")
    target_compile_definitions(${target} PRIVATE VRAMSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE vramscope_bindings vramscope_report vramscope_catalog
        vramscope_formats vramscope_core vramscope_json vramscope_catch2)
    vramscope_code_flags(${target})
    if(EMSCRIPTEN)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        vramscope_without_exceptions(${target})
        vramscope_wasm_test_flags(${target})
    else()
        target_link_libraries(${target} PRIVATE vramscope_app)
        if(TARGET vramscope_cli)
            target_link_libraries(${target} PRIVATE vramscope_cli)
        endif()
        if(TARGET vramscope)
            add_dependencies(${target} vramscope)
            target_compile_definitions(${target} PRIVATE VRAMSCOPE_CLI="$<TARGET_FILE:vramscope>")
        endif()
    endif()

    foreach(source IN LISTS sources)
        file(RELATIVE_PATH name "${tests}" "${source}")
        get_filename_component(file_name "${source}" NAME_WE)
        string(REGEX REPLACE "_test\\.cpp$" "" name "${name}")
        # Catch2 tags every test with its file's name: a file without a test fails. Hidden tests
        # (measurements) run by their own tag only.
        add_test(NAME "${name}" COMMAND ${target} --filenames-as-tags "[#${file_name}]~[.]"
            WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
        set_tests_properties("${name}" PROPERTIES TIMEOUT 600)
    endforeach()
endfunction()

# tests/bench: times and heap requests of the core, natively and in Node; built only when asked for.
function(vramscope_bench_program target)
    set(tests "${PROJECT_SOURCE_DIR}/tests")
    add_executable(${target} EXCLUDE_FROM_ALL "${tests}/bench/bench.cpp"
        "${tests}/support/allocations.cpp" "${tests}/support/gguf_writer.cpp")
    target_include_directories(${target} PRIVATE "${tests}")
    target_link_libraries(${target} PRIVATE vramscope_formats vramscope_catalog vramscope_core
        vramscope_json)
    vramscope_code_flags(${target})
    if(EMSCRIPTEN)
        vramscope_without_exceptions(${target})
        vramscope_wasm_test_flags(${target})
    endif()
endfunction()
