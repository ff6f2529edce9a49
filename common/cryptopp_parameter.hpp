// One parameter of Crypto++'s SetKey. MakeParameters allocates memory for it in each call; this class does not.
#pragma once

#include <cryptopp/algparam.h>

#include <cstddef>
#include <cstring>
#include <typeinfo>

namespace ladder {

class CryptoppParameter final : public CryptoPP::NameValuePairs {
 public:
  // `name` is one of CryptoPP::Name. It and the bytes must live as long as the object.
  CryptoppParameter(const char* name, const void* bytes, std::size_t size)
      : name_(name), bytes_(static_cast<const CryptoPP::byte*>(bytes), size) {}

  bool GetVoidValue(const char* name, const std::type_info& type, void* value) const override {
    if (std::strcmp(name, name_) != 0) return false;
    ThrowIfTypeMismatch(name, typeid(bytes_), type);
    *static_cast<CryptoPP::ConstByteArrayParameter*>(value) = bytes_;
    return true;
  }

 private:
  const char* name_;
  CryptoPP::ConstByteArrayParameter bytes_;
};

}  // namespace ladder
