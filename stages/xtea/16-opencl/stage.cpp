// OpenCL: pinned memory, a transfer to the device, a kernel in which each work-item ciphers one block, a transfer back.
// threads: all
// links: OpenCL
// device: OpenCL
// lacks: many-calls
#include <algorithm>
#include <mutex>

#include "xtea/device.hpp"
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

constexpr std::size_t most = std::size_t{1} << 18;  // blocks at once; a larger message is cut into parts

enum Direction { encrypting, decrypting };

// A queue with its buffers: one of the device, and one of the host. That of the host is pinned: it stays in its
// place, so the device can copy from it while the host does something else.
class Lane {
 public:
  explicit Lane(const device::Device& device)
      : queue_(device.context, device.handle),
        buffer_(device.context, CL_MEM_READ_WRITE, bytes),
        pinned_(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
        host_(static_cast<std::uint64_t*>(
            queue_.enqueueMapBuffer(pinned_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes))) {
    for (const Direction direction : {encrypting, decrypting}) {
      kernels_[direction] = cl::Kernel(device.program, direction == encrypting ? "encrypt" : "decrypt");
      kernels_[direction].setArg(0, buffer_);
      set_key(direction, {});
    }
  }

  // Does not wait for the device. A queue executes its commands in order.
  void start(Direction direction, std::span<std::uint64_t> blocks, const Key& key) {
    if (key != keys_[direction]) set_key(direction, key);
    std::copy(blocks.begin(), blocks.end(), host_);
    queue_.enqueueWriteBuffer(buffer_, CL_FALSE, 0, blocks.size_bytes(), host_);
    queue_.enqueueNDRangeKernel(kernels_[direction], {}, device::whole_groups(blocks.size()), device::group);
    queue_.enqueueReadBuffer(buffer_, CL_FALSE, 0, blocks.size_bytes(), host_);
    queue_.flush();
    started_ = blocks;
  }

  void finish() {
    if (started_.empty()) return;
    queue_.finish();
    std::copy_n(host_, started_.size(), started_.begin());
    started_ = {};
  }

 private:
  static constexpr std::size_t bytes = most * sizeof(std::uint64_t);

  void set_key(Direction direction, const Key& key) {
    kernels_[direction].setArg(1, sizeof key, key.data());
    keys_[direction] = key;
  }

  cl::CommandQueue queue_;
  cl::Buffer buffer_, pinned_;
  std::uint64_t* host_;
  std::span<std::uint64_t> started_;
  std::array<cl::Kernel, 2> kernels_;
  std::array<Key, 2> keys_{};
};

struct Ciphers {
  std::mutex turn;  // there is one device for all threads
  Lane lane{device::opened()};
};

// Made before main, so that a machine without a device says so first. Never destroyed: the driver may be unloaded
// before that.
Ciphers& ciphers = *device::guarded([] { return new Ciphers; });

void cipher(Direction direction, std::span<std::uint64_t> blocks, const Key& key) {
  const std::lock_guard turn(ciphers.turn);
  device::guarded([&] {
    for (; !blocks.empty(); blocks = blocks.subspan(std::min(most, blocks.size()))) {
      ciphers.lane.start(direction, blocks.first(std::min(most, blocks.size())), key);
      ciphers.lane.finish();
    }
  });
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher(encrypting, blocks, key); }

void decrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher(decrypting, blocks, key); }

}  // namespace xtea
