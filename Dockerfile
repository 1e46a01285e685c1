# The official PostgreSQL image with the extension in it. The tests do not run this file.
#
#   docker build -t postgres-simhash .                              # --build-arg PG_MAJOR=17 for another version
#   docker run --rm -e POSTGRES_PASSWORD=secret postgres-simhash
#
# All stages are of the same Debian, so that the library finds the C library it was linked with.
ARG PG_MAJOR=15
ARG DEBIAN=bookworm

FROM rust:1.95-slim-${DEBIAN} AS rust

FROM postgres:${PG_MAJOR}-${DEBIAN} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates clang gcc libc6-dev libclang-dev make pkg-config "postgresql-server-dev-$PG_MAJOR" \
    && rm -rf /var/lib/apt/lists/*
COPY --from=rust /usr/local/rustup /usr/local/rustup
COPY --from=rust /usr/local/cargo /usr/local/cargo
ENV RUSTUP_HOME=/usr/local/rustup CARGO_HOME=/usr/local/cargo PATH=/usr/local/cargo/bin:$PATH
WORKDIR /simhash
COPY . .
# The slim image has no rustfmt, with which pgrx would format its bindings.
RUN RUSTFMT=true make install DESTDIR=/installed PG_CONFIG="/usr/lib/postgresql/$PG_MAJOR/bin/pg_config"

FROM postgres:${PG_MAJOR}-${DEBIAN}
COPY --from=build /installed/ /
