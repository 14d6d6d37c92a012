// What a sanitizer changes for a test. g++ names it by a macro, clang by a feature.
#pragma once

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define GADWALL_SANITIZES_THREADS
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || \
    defined(GADWALL_SANITIZES_THREADS)
#define GADWALL_SANITIZED_MALLOC  // not the C library's
#endif
