#!/usr/bin/env python3
"""A small S3 server that checks each signature: a double for tests, with the standard library alone.

    s3_server.py FOLDER [--fail STATUS] [--after N] [--count N] [--stall] [--delay SECONDS]
                        [--least-part BYTES]

Objects are files FOLDER/BUCKET/KEY, the key quoted, so that a test may look at them and damage them;
a bucket is a folder. FOLDER/.uploads has a file for each upload that is neither complete nor
aborted. Listens on a free port of 127.0.0.1, writes its number as a line to standard
output, and ends when its standard input does: with the test that started it, whatever happens.
Keys: "user" and "secret". --fail answers data requests (PUT and GET of objects) with a status,
--stall never answers them: behind the first N, so many times. --delay lets each request wait so long,
beside the others.
"""

import argparse
import hashlib
import hmac
import http.server
import os
import re
import sys
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

KEYS = {"user": "secret"}
EMPTY = hashlib.sha256(b"").hexdigest()


class Refusal(Exception):
    """An answer with a status, a code and a message."""


def expected_signature(method, path, query, headers, signed, scope, secret):
    """The signature of a request by the words of AWS's documentation, step by step."""
    pairs = sorted(part.partition("=")[::2] for part in query.split("&") if part)
    canonical = "\n".join([method, path, "&".join(f"{name}={value}" for name, value in pairs)]
                          + [f"{name}:{' '.join(headers[name].split())}" for name in signed]
                          + ["", ";".join(signed), headers["x-amz-content-sha256"]])
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope,
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in scope.split("/") + [text]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex()


def signed_headers(method, host, path):
    """Headers of a request without a body."""
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    headers = {"host": host, "x-amz-content-sha256": EMPTY, "x-amz-date": date}
    user, secret = next(iter(KEYS.items()))
    scope = f"{date[:8]}/us-east-1/s3/aws4_request"
    signature = expected_signature(method, path, "", headers, sorted(headers), scope, secret)
    headers["authorization"] = (f"AWS4-HMAC-SHA256 Credential={user}/{scope},"
                                f"SignedHeaders={';'.join(sorted(headers))},Signature={signature}")
    return headers


class Store:
    """Objects, uploads and what was asked for, of all connections."""

    def __init__(self, options):
        self.folder, self.options = options.folder, options
        self.lock = threading.Lock()
        self.marked, self.uploads, self.asked = set(), {}, 0
        os.makedirs(os.path.join(self.folder, ".uploads"))

    def path(self, bucket, key):
        return os.path.join(self.folder, bucket, urllib.parse.quote(key, safe=""))

    def keys(self, bucket):
        return sorted(urllib.parse.unquote(name)
                      for name in os.listdir(os.path.join(self.folder, bucket)))

    def put(self, bucket, key, body, headers):
        path = self.path(bucket, key)
        with self.lock:
            if headers.get("if-none-match") == "*" and os.path.exists(path):
                raise Refusal(412, "PreconditionFailed", "The object is there")
            with open(path, "wb") as file:
                file.write(body)
            self.marked.discard((bucket, key))
            if "x-amz-meta-iorx" in headers:
                self.marked.add((bucket, key))

    def strikes(self):
        """Whether this request is one of those that fail."""
        with self.lock:
            self.asked += 1
            at = self.asked - 1 - self.options.after
        return (self.options.fail or self.options.stall) and 0 <= at < self.options.count


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    store = None
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def check(self, path, query, body):
        headers = {name.lower(): value for name, value in self.headers.items()}
        match = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\S+),"
                             r"SignedHeaders=(\S+),Signature=(\S+)",
                             headers.get("authorization", ""))
        if not match or "x-amz-content-sha256" not in headers:
            raise Refusal(403, "AccessDenied", "The request is not signed")
        user, scope, signed, signature = match.groups()
        if user not in KEYS:
            raise Refusal(403, "InvalidAccessKeyId", "There is no such key")
        age = time.time() - time.mktime(time.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ"))
        if abs(age + time.timezone) > 900:
            raise Refusal(403, "RequestTimeTooSkewed", "The clocks differ")
        names = signed.split(";")
        if any(name not in names for name in headers if name == "host" or name[:6] == "x-amz-"):
            raise Refusal(403, "AccessDenied", "A header is not signed")
        if signature != expected_signature(self.command, path, query, headers, names, scope,
                                           KEYS[user]):
            raise Refusal(403, "SignatureDoesNotMatch", "The signature is <wrong>")
        claimed = headers["x-amz-content-sha256"]
        if claimed not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
            raise Refusal(400, "XAmzContentSHA256Mismatch", "The body is another")
        return headers

    def serve(self):
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            headers = self.check(path, query, body)
            time.sleep(self.store.options.delay)
            _, bucket, *rest = urllib.parse.unquote(path).split("/", 2)
            words = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
            if not os.path.isdir(os.path.join(self.store.folder, bucket)):
                raise Refusal(404, "NoSuchBucket", "There is no such bucket")
            if rest and rest[0]:
                self.serve_object(bucket, rest[0], words, headers, body)
            elif self.command == "HEAD":
                self.answer(200)
            else:
                self.list(bucket, words)
        except Refusal as refusal:
            status, code, message = refusal.args
            self.answer(status, f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>"
                        f"{escape(message)}</Message></Error>".encode())

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = serve

    def serve_object(self, bucket, key, words, headers, body):
        if self.command in ("GET", "PUT") and self.store.strikes():
            if self.store.options.stall:
                time.sleep(3600)
            raise Refusal(self.store.options.fail, "Planted", "The test wants it")
        if "uploads" in words or "uploadId" in words:
            self.serve_upload(bucket, key, words, headers, body)
        elif self.command == "PUT":
            self.store.put(bucket, key, body, headers)
            self.answer(200, ETag=f'"{hashlib.md5(body).hexdigest()}"')
        elif self.command == "DELETE":
            if os.path.exists(self.store.path(bucket, key)):
                os.remove(self.store.path(bucket, key))
            self.answer(204)
        else:
            self.read(bucket, key, headers)

    def read(self, bucket, key, headers):
        path = self.store.path(bucket, key)
        if not os.path.exists(path):
            raise Refusal(404, "NoSuchKey", "There is no such key")
        size = os.path.getsize(path)
        more = {"x_amz_meta_iorx": "1"} if (bucket, key) in self.store.marked else {}
        if self.command == "HEAD":
            self.answer(200, Content_Length=str(size), **more)
            return
        first, last = 0, size - 1
        if "range" in headers:
            first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", headers["range"]).groups())
            if first >= size:
                raise Refusal(416, "InvalidRange", "The range is behind the end")
        with open(path, "rb") as file:
            file.seek(first)
            self.answer(206 if "range" in headers else 200, file.read(last + 1 - first), **more)

    def serve_upload(self, bucket, key, words, headers, body):
        store = self.store
        if "uploads" in words:
            upload = f"upload+{len(store.uploads)}/{os.urandom(4).hex()}"
            store.uploads[upload] = ({}, headers)
            with open(store.path(".uploads", upload), "w", encoding="ascii"):
                pass
            self.answer(200, f"<R><UploadId>{upload}</UploadId></R>".encode())
            return
        if words["uploadId"] not in store.uploads:
            raise Refusal(404, "NoSuchUpload", "There is no such upload")
        parts, first_headers = store.uploads[words["uploadId"]]
        if self.command == "PUT":
            etag = f'"{hashlib.md5(body).hexdigest()}"'
            parts[int(words["partNumber"])] = (etag, body)
            self.answer(200, ETag=etag)
            return
        if self.command == "POST":
            named = re.findall(rb"<PartNumber>(\d+)</PartNumber><ETag>([^<]*)</ETag>", body)
            numbers = [int(number) for number, _ in named]
            if numbers != sorted(parts) or any(parts[int(number)][0].encode() != etag
                                               for number, etag in named):
                raise Refusal(400, "InvalidPart", "Parts are missing or others")
            if any(len(parts[number][1]) < store.options.least_part for number in numbers[:-1]):
                raise Refusal(400, "EntityTooSmall", "A part is too small")
            store.put(bucket, key, b"".join(parts[number][1] for number in numbers),
                      {**first_headers, **headers})
        del store.uploads[words["uploadId"]]
        os.remove(store.path(".uploads", words["uploadId"]))
        self.answer(200 if self.command == "POST" else 204)

    def list(self, bucket, words):
        prefix, delimiter = words.get("prefix", ""), words.get("delimiter")
        found = {}
        for key in self.store.keys(bucket):
            if key.startswith(prefix) and key > words.get("continuation-token", ""):
                inner, found_delimiter, _ = key[len(prefix):].partition(delimiter or "\0")
                found[prefix + inner + delimiter if found_delimiter else key] = found_delimiter
        most = int(words.get("max-keys", "1000"))
        names = sorted(found)[:most]
        more = ""
        if len(found) > most:  # behind a common prefix, all keys below it are over too
            more = f"<NextContinuationToken>{escape(names[-1] + (chr(0x10ffff) if found[names[-1]] else ''))}" \
                   "</NextContinuationToken>"
        listed = "".join(f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>"
                         if found[name] else f"<Contents><Key>{escape(name)}</Key></Contents>"
                         for name in names)
        self.answer(200, f"<ListBucketResult>{listed}{more}</ListBucketResult>".encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--fail", type=int, default=0)
    parser.add_argument("--after", type=int, default=0)
    parser.add_argument("--count", type=int, default=1 << 62)
    parser.add_argument("--stall", action="store_true")
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--least-part", type=int, default=5 << 20)
    Handler.store = Store(parser.parse_args())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
