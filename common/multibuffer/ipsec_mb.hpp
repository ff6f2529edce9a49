// What any user of Intel's multi-buffer library needs: a manager of the library, and the job that came back from it.
#pragma once

#include <intel-ipsec-mb.h>

#include <memory>
#include <new>

#include "common/multibuffer/jobs.hpp"

namespace ladder {

struct FreeLibraryManager {
  void operator()(IMB_MGR* manager) const { free_mb_mgr(manager); }
};
using LibraryManager = std::unique_ptr<IMB_MGR, FreeLibraryManager>;

// `choose` is one of the functions init_mb_mgr_..., or calls one.
inline LibraryManager library_manager(void (*choose)(IMB_MGR*)) {
  IMB_MGR* const manager = alloc_mb_mgr(0);
  if (manager == nullptr) throw std::bad_alloc();
  choose(manager);
  return LibraryManager(manager);
}

// Null where none has finished.
template <class Job>
Job* done(const IMB_JOB* finished) {
  if (finished == nullptr) return nullptr;
  Job* const job = static_cast<Job*>(finished->user_data);
  job->status = Status::done;
  return job;
}

}  // namespace ladder
