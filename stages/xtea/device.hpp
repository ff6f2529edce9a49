// The OpenCL device: its kernels, its choice, and the error texts where there is none.
#pragma once

// Use OpenCL 1.2, which every driver has. Errors are thrown as exceptions.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_TARGET_OPENCL_VERSION 120
#include <unistd.h>

#include <CL/opencl.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "xtea/xtea.hpp"

namespace xtea::device {

// A work-item ciphers one block. Unrolling makes the index of each key word a constant. PoCL puts the items of a group
// into the lanes of a vector, and a loop could prevent that. Its lanes are as wide as the widest word: there would be
// half as many if a block were one word of 64 bits.
inline constexpr char kernels[] = R"cl(
uint mix(uint word) { return (word << 4 ^ word >> 5) + word; }

kernel void encrypt(global uint* halves, const uint4 words) {
  const uint key[4] = {words.x, words.y, words.z, words.w};
  const size_t at = 2 * get_global_id(0);
  uint left = halves[at], right = halves[at + 1], sum = 0;
#pragma unroll
  for (uint cycle = 0; cycle < 32; ++cycle) {
    left += mix(right) ^ (sum + key[sum & 3]);
    sum += 0x9E3779B9;
    right += mix(left) ^ (sum + key[sum >> 11 & 3]);
  }
  halves[at] = left;
  halves[at + 1] = right;
}

kernel void decrypt(global uint* halves, const uint4 words) {
  const uint key[4] = {words.x, words.y, words.z, words.w};
  const size_t at = 2 * get_global_id(0);
  uint left = halves[at], right = halves[at + 1], sum = 0x9E3779B9u * 32;
#pragma unroll
  for (uint cycle = 0; cycle < 32; ++cycle) {
    right -= mix(left) ^ (sum + key[sum >> 11 & 3]);
    sum -= 0x9E3779B9;
    left -= mix(right) ^ (sum + key[sum & 3]);
  }
  halves[at] = left;
  halves[at + 1] = right;
}
)cl";

// Work-items of a group. A launch has whole groups, so buffers hold whole groups, too.
constexpr std::size_t group = 64;
constexpr std::size_t whole_groups(std::size_t blocks) { return (blocks + group - 1) / group * group; }

// Ends the program with a sentence. Code 77: this machine lacks something, and the stage counts as skipped. Code 2: the
// user asked for a device that does not exist.
[[noreturn]] void leave(int code, const auto&... words) {
  std::fflush(nullptr);
  (std::cerr << ... << words) << std::endl;
  _exit(code);  // no destructors: threads of the driver may still run
}

// Runs code that calls OpenCL. The contract has no errors, so an error ends the program. Any error counts as one of the
// machine, so a wrong call of OpenCL in a stage is skipped, too.
auto guarded(const auto& work) {
  try {
    return work();
  } catch (const cl::Error& error) {
    const bool memory = error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE || error.err() == CL_OUT_OF_RESOURCES ||
                        error.err() == CL_OUT_OF_HOST_MEMORY;
    leave(77, memory ? "The OpenCL device is out of memory" : "The OpenCL driver failed", " (", error.what(),
          ", error ", error.err(), ").");
  }
}

struct Device {
  std::string platform, name, driver, kind;  // kind: GPU, accelerator or CPU
  cl::Device handle;
  cl::Context context;
  cl::Program program;

  bool is_called(const char* part) const {
    return platform.find(part) != std::string::npos || name.find(part) != std::string::npos;
  }
};

inline std::string kind_of(const cl::Device& device) {
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  return type & CL_DEVICE_TYPE_GPU ? "GPU" : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "CPU";
}

// PoCL stores compiled kernels in the user's cache. If it cannot write there, it offers no device.
inline void give_pocl_a_cache() {
  const char* home = std::getenv("HOME");
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const std::filesystem::path usual = cache && *cache ? std::filesystem::path(cache) / "pocl/kcache"
                                      : home && *home ? std::filesystem::path(home) / ".cache/pocl/kcache"
                                                      : "";
  std::error_code none;
  if (!usual.empty()) std::filesystem::create_directories(usual, none);
  if (!usual.empty() && access(usual.c_str(), W_OK) == 0) return;
  std::filesystem::path own = std::filesystem::temp_directory_path(none) / "perf-ladders-pocl-";
  own += std::to_string(getuid());
  setenv("POCL_CACHE_DIR", own.c_str(), 0);  // unless the user has chosen one
}

inline std::vector<Device> devices() {
  give_pocl_a_cache();
  std::vector<Device> found;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {  // there is none
  }
  if (platforms.empty()) {
    leave(77, "There is no OpenCL platform: install a driver, such as pocl-opencl-icd, which runs kernels on the CPU.");
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> handles;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &handles);
    } catch (const cl::Error&) {  // it has none
    }
    for (const cl::Device& handle : handles) {
      found.push_back({platform.getInfo<CL_PLATFORM_NAME>(),
                       handle.getInfo<CL_DEVICE_NAME>(),
                       handle.getInfo<CL_DRIVER_VERSION>(),
                       kind_of(handle),
                       handle,
                       {},
                       {}});
    }
  }
  if (found.empty()) leave(77, "No OpenCL platform has a device: is the driver that of your graphics card?");
  return found;
}

// The device whose platform or name contains PERF_LADDERS_OPENCL; if that is not set, a GPU if there is one.
inline Device chosen() {
  const std::vector<Device> all = devices();
  if (const char* asked = std::getenv("PERF_LADDERS_OPENCL"); asked && *asked) {
    std::ostringstream there;
    for (const Device& device : all) {
      if (device.is_called(asked)) return device;
      there << "\n  " << device.platform << ": " << device.name;
    }
    leave(2, "PERF_LADDERS_OPENCL asks for '", asked, "', but these devices are all there is:", there.str());
  }
  for (const char* kind : {"GPU", "accelerator"}) {
    for (const Device& device : all) {
      if (device.kind == kind) return device;
    }
  }
  return all.front();
}

// The device with its context and the kernels built for it.
inline Device opened() {
  Device device = chosen();
  device.context = cl::Context(device.handle);
  device.program = cl::Program(device.context, kernels);
  try {
    device.program.build();
  } catch (const cl::BuildError& error) {
    const std::string log = error.getBuildLog().empty() ? "" : error.getBuildLog().front().second;
    leave(77, "The kernel does not build on ", device.name, ": ", log.substr(0, log.find('\n')));
  }
  return device;
}

}  // namespace xtea::device
