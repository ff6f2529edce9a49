// Messages of many sizes: the time of the stage and of an OpenCL device, with transfers and kernel timed separately.
// links: CLI11 nlohmann_json OpenCL
// Exit codes: 0 right, 1 stage and device differ, 2 wrong usage, 77 the CPU lacks a feature (guard.c) or there is no
// device.
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/bytes.hpp"
#include "common/command_line.hpp"
#include "xtea/device.hpp"
#include "xtea/xtea.hpp"

namespace xtea::transfer {
namespace {

using Clock = std::chrono::steady_clock;
using Blocks = std::vector<std::uint64_t>;
using ladder::number;

constexpr Key key{0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c};
constexpr std::size_t block_bytes = sizeof(std::uint64_t);
constexpr std::size_t most_bytes = std::size_t{1} << 28;

struct Options {
  std::vector<std::size_t> sizes{8,       64,      512,     4'096,     25'600,    65'536,
                                 131'072, 262'144, 500'000, 1'048'576, 1'572'864, 3'145'728};
  double milliseconds = 20;
  bool json = false;
};

// Nanoseconds of one message. The device's own clock times its events. The host's clock times `together`, from the
// first copy into pinned memory to the last copy out of it.
struct OnDevice {
  double to_device, kernel, to_host, together;
};

// A queue that records the start and the end of each command.
class Bench {
 public:
  explicit Bench(const device::Device& device, std::size_t bytes)
      : queue_(device.context, device.handle, CL_QUEUE_PROFILING_ENABLE),
        buffer_(device.context, CL_MEM_READ_WRITE, bytes),
        pinned_(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
        host_(static_cast<std::uint64_t*>(
            queue_.enqueueMapBuffer(pinned_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes))),
        kernel_(device.program, "encrypt") {
    kernel_.setArg(0, buffer_);
    kernel_.setArg(1, sizeof key, key.data());
  }
  Bench(const Bench&) = delete;
  ~Bench() {  // a driver does not unmap it
    queue_.enqueueUnmapMemObject(pinned_, host_);
    queue_.finish();
  }

  OnDevice encrypt(std::span<std::uint64_t> blocks) {
    cl::Event to_device, kernel, to_host;
    const auto begin = Clock::now();
    std::copy(blocks.begin(), blocks.end(), host_);
    queue_.enqueueWriteBuffer(buffer_, CL_FALSE, 0, blocks.size_bytes(), host_, nullptr, &to_device);
    queue_.enqueueNDRangeKernel(kernel_, {}, device::whole_groups(blocks.size()), device::group, nullptr, &kernel);
    queue_.enqueueReadBuffer(buffer_, CL_FALSE, 0, blocks.size_bytes(), host_, nullptr, &to_host);
    queue_.finish();
    std::copy_n(host_, blocks.size(), blocks.begin());
    const std::chrono::duration<double, std::nano> together = Clock::now() - begin;
    return {nanoseconds(to_device), nanoseconds(kernel), nanoseconds(to_host), together.count()};
  }

 private:
  static double nanoseconds(const cl::Event& event) {
    return static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                               event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  }

  cl::CommandQueue queue_;
  cl::Buffer buffer_, pinned_;
  std::uint64_t* host_;
  cl::Kernel kernel_;
};

// Repeats the call for about this long, at least twice.
void again(double milliseconds, const auto& call) {
  const auto end = Clock::now() + std::chrono::duration<double, std::milli>(milliseconds);
  for (int calls = 0; calls < 2 || Clock::now() < end; ++calls) call();
}

// Noise only adds time, so take the minimum of all calls. Short calls are timed together, because the clock takes time.
double least_of_stage(std::span<std::uint64_t> blocks, double milliseconds) {
  const std::size_t calls = std::max<std::size_t>(1, 256 / blocks.size());
  double least = 1e300;
  again(milliseconds, [&] {
    const auto begin = Clock::now();
    for (std::size_t call = 0; call < calls; ++call) encrypt(blocks, key);
    const std::chrono::duration<double, std::nano> taken = Clock::now() - begin;
    least = std::min(least, taken.count() / static_cast<double>(calls));
  });
  return least;
}

// The fastest message with its parts: parts of several messages would not add up.
OnDevice least_of_device(Bench& bench, std::span<std::uint64_t> blocks, double milliseconds) {
  OnDevice least{0, 0, 0, 1e300};
  again(milliseconds, [&] {
    const OnDevice now = bench.encrypt(blocks);
    if (now.together < least.together) least = now;
  });
  return least;
}

nlohmann::ordered_json measure(Bench& bench, std::size_t bytes, double milliseconds) {
  Blocks by_stage(bytes / block_bytes);
  ladder::Generator(bytes).fill(by_stage);
  Blocks by_device = by_stage;
  encrypt(by_stage, key);
  bench.encrypt(by_device);
  if (by_stage != by_device) {
    throw std::logic_error("Stage and device do not give the same for " + std::to_string(bytes) + " bytes.");
  }
  const double stage = least_of_stage(by_stage, milliseconds);
  const OnDevice device = least_of_device(bench, by_device, milliseconds);
  return {{"bytes", bytes},
          {"stage_ns", stage},
          {"device_ns",
           {{"to_device", device.to_device},
            {"kernel", device.kernel},
            {"to_host", device.to_host},
            {"together", device.together}}}};
}

void print_head(const device::Device& device) {
  std::cout << "Device: " << device.name << " (" << device.kind << ")\nDriver: " << device.platform << ", "
            << device.driver << '\n';
  if (device.kind == "CPU") std::cout << "This device is the CPU: nothing here says what a GPU would do.\n";
  std::cout << "\nus, the least           stage              device, by its events         device,\n"
               "     bytes         us     MB/s   to device    kernel   to host      all told\n";
}

void print_row(const nlohmann::ordered_json& row) {
  const auto& device = row["device_ns"];
  const auto bytes = row["bytes"].get<double>(), stage = row["stage_ns"].get<double>();
  const auto us = [](int width, double nanoseconds) { std::cout << std::setw(width) << nanoseconds / 1'000; };
  std::cout << std::fixed << std::setprecision(1) << std::setw(10) << row["bytes"].get<std::size_t>();
  us(11, stage);
  std::cout << std::setw(9) << 1'000 * bytes / stage;
  us(12, device["to_device"].get<double>());
  us(10, device["kernel"].get<double>());
  us(10, device["to_host"].get<double>());
  us(14, device["together"].get<double>());
  std::cout << '\n' << std::flush;
}

CLI::Validator whole_blocks() {
  const auto check = [](const std::string& text) -> std::string {
    return std::stoull(text) % block_bytes == 0 ? "" : text + " is no number of whole blocks of 8 bytes";
  };
  return {check, "whole blocks"};
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Ciphers messages of many sizes with one stage and with an OpenCL device, and\n"
      "times both; of the device also the transfers and the kernel, by its own clock.",
      "transfer");
  app.add_option("--bytes", options.sizes, "Sizes, whole blocks of 8 bytes; from 8 bytes to\n3 MiB if not given")
      ->check(number(block_bytes, most_bytes))
      ->check(whole_blocks());
  app.add_option("--milliseconds", options.milliseconds, "About so long is each of the two timed, at each\nsize")
      ->check(number(0.1, 60'000.0))
      ->capture_default_str();
  app.add_flag("--json", options.json, "Print one JSON object");
  app.footer(
      "PERF_LADDERS_OPENCL chooses a device by a part of its platform's or its own name.\n"
      "What each gives is compared. Around another stage: build/gcc/xtea-00-transfer...\n"
      "for the reference, xtea-12-transfer... for the last on the CPU.");
  if (const std::optional<int> code = ladder::parse(app, argc, argv)) return *code;

  device::guarded([&] {
    const device::Device device = device::opened();
    const std::size_t largest = *std::max_element(options.sizes.begin(), options.sizes.end());
    Bench bench(device, device::whole_groups(largest / block_bytes) * block_bytes);
    nlohmann::ordered_json all{
        {"device",
         {{"name", device.name}, {"platform", device.platform}, {"driver", device.driver}, {"kind", device.kind}}},
        {"sizes", nlohmann::ordered_json::array()}};
    if (!options.json) print_head(device);
    for (const std::size_t bytes : options.sizes) {
      all["sizes"].push_back(measure(bench, bytes, options.milliseconds));
      if (!options.json) print_row(all["sizes"].back());
    }
    if (options.json) std::cout << all.dump(2) << '\n';
  });
  return ladder::right;
}

}  // namespace
}  // namespace xtea::transfer

int main(int argc, char** argv) { return ladder::guarded(xtea::transfer::main, argc, argv); }
