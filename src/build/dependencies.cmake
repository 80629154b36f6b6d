# The libraries that are not ours, each as a target of the same form:
#
#   vramscope_imgui    Dear ImGui 1.92 or newer, without a backend
#   vramscope_json     nlohmann/json 3.11, headers only
#   vramscope_cli11    CLI11 2, headers only
#   vramscope_catch2   Catch2 3 with its main()
#
# Each is looked for in .toolchain/lib (where build-wasm.sh puts Debian's sources), then as a CMake
# package of the system, and else fetched at a pinned commit, whose hash names its whole content.

include(FetchContent)

set(vramscope_lib "${PROJECT_SOURCE_DIR}/.toolchain/lib")

# vramscope_find(NAME FILE URL COMMIT): sets NAME_folder to the folder that holds FILE.
macro(vramscope_find name file url commit)
    if(EXISTS "${vramscope_lib}/${name}/${file}")
        set(${name}_folder "${vramscope_lib}/${name}")
    else()
        message(STATUS "${name}: fetching ${url} at ${commit}")
        FetchContent_Declare(${name} GIT_REPOSITORY ${url} GIT_TAG ${commit} SOURCE_SUBDIR none)
        FetchContent_MakeAvailable(${name})
        set(${name}_folder "${${name}_SOURCE_DIR}")
    endif()
    message(STATUS "${name}: ${${name}_folder}")
endmacro()

# vramscope_system(NAME PACKAGE VERSION TARGET): makes vramscope_NAME from a package of the system
# when .toolchain/lib has none. Not for WebAssembly: the system's headers are the machine's.
function(vramscope_system name package version target)
    if(EMSCRIPTEN OR EXISTS "${vramscope_lib}/${name}")
        return()
    endif()
    find_package(${package} ${version} QUIET CONFIG)
    if(TARGET ${target})
        add_library(vramscope_${name} INTERFACE)
        target_link_libraries(vramscope_${name} INTERFACE ${target})
        set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL ON)
        message(STATUS "${name}: ${${package}_DIR}, version ${${package}_VERSION}")
    endif()
endfunction()

# vramscope_headers(NAME FOLDER): a library of headers only.
function(vramscope_headers name folder)
    add_library(vramscope_${name} INTERFACE)
    target_include_directories(vramscope_${name} SYSTEM INTERFACE "${folder}")
endfunction()

# Dear ImGui: no warnings of its code are ours.
vramscope_find(imgui imgui.h https://github.com/ocornut/imgui.git
    45acd5e0e82f4c954432533ae9985ff0e1aad6d5) # 1.92.2b
add_library(vramscope_imgui STATIC
    "${imgui_folder}/imgui.cpp" "${imgui_folder}/imgui_draw.cpp" "${imgui_folder}/imgui_widgets.cpp")
if(NOT EMSCRIPTEN)
    target_sources(vramscope_imgui PRIVATE "${imgui_folder}/imgui_tables.cpp")
endif()
target_include_directories(vramscope_imgui SYSTEM PUBLIC "${imgui_folder}")
target_include_directories(vramscope_imgui PUBLIC "${PROJECT_SOURCE_DIR}/src")
target_compile_definitions(vramscope_imgui PUBLIC IMGUI_USER_CONFIG="platform/imgui_config.h")
target_compile_options(vramscope_imgui PRIVATE -w)
vramscope_without_exceptions(vramscope_imgui)
vramscope_sanitizers(vramscope_imgui)
vramscope_wasm_code(vramscope_imgui)

# Without what the page does not use (src/platform/imgui/parts.cpp says what): its functions are weak
# symbols, which that file replaces. It holds no tables of ours, so their 6,000 lines stay out.
if(EMSCRIPTEN)
    target_compile_definitions(vramscope_imgui PRIVATE "IMGUI_API=__attribute__((weak))")
    add_library(vramscope_imgui_parts OBJECT "${PROJECT_SOURCE_DIR}/src/platform/imgui/parts.cpp")
    target_include_directories(vramscope_imgui_parts SYSTEM PRIVATE "${imgui_folder}")
    target_include_directories(vramscope_imgui_parts PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(vramscope_imgui_parts PRIVATE
        IMGUI_USER_CONFIG="platform/imgui_config.h")
    vramscope_code_flags(vramscope_imgui_parts)
    vramscope_without_exceptions(vramscope_imgui_parts)
    target_link_libraries(vramscope_imgui INTERFACE $<TARGET_OBJECTS:vramscope_imgui_parts>)
endif()

vramscope_system(json nlohmann_json 3.11 nlohmann_json::nlohmann_json)
if(NOT TARGET vramscope_json)
    vramscope_find(json include/nlohmann/json.hpp https://github.com/nlohmann/json.git
        9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03) # 3.11.3
    vramscope_headers(json "${json_folder}/include")
endif()

vramscope_system(cli11 CLI11 2.3 CLI11::CLI11)
if(NOT TARGET vramscope_cli11)
    vramscope_find(cli11 include/CLI/CLI.hpp https://github.com/CLIUtils/CLI11.git
        f4d0731cebb123ff0ace712c099dffbcd2c58e5a) # 2.4.1
    vramscope_headers(cli11 "${cli11_folder}/include")
endif()

# Compiled like our code (sanitizers, no exceptions in WebAssembly), so from its sources.
if(VRAMSCOPE_TESTS)
    vramscope_find(catch2 src/catch2/catch_all.hpp https://github.com/catchorg/Catch2.git
        fa43b77429ba76c462b1898d6cd2f2d7a9416b14) # 3.7.1
    set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # its options take the values set here
    if(EMSCRIPTEN)
        set(CATCH_CONFIG_DISABLE_EXCEPTIONS ON)
        set(CATCH_CONFIG_NO_POSIX_SIGNALS ON)
    endif()
    add_subdirectory("${catch2_folder}" catch2 EXCLUDE_FROM_ALL)
    # Its 108 sources as 9, which takes half of the time.
    set_target_properties(Catch2 PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    foreach(library Catch2 Catch2WithMain)
        vramscope_sanitizers(${library})
        if(EMSCRIPTEN)
            vramscope_without_exceptions(${library})
        endif()
    endforeach()
    add_library(vramscope_catch2 INTERFACE)
    target_link_libraries(vramscope_catch2 INTERFACE Catch2::Catch2WithMain)
endif()
