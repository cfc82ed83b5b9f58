# SPDX-License-Identifier: Apache-2.0
#
# BusyBox's commands and bash, as on Alpine, around the JRE of a Debian image. The JRE and its C library stay Debian's:
# Debian has no JRE for musl.
ARG JRE
FROM ${JRE} AS debian

FROM scratch
ENV LANG=C.UTF-8
COPY --from=debian /etc /etc
COPY --from=debian /usr/lib /usr/lib
COPY --from=debian /usr/lib64 /usr/lib64
COPY --from=debian /bin/busybox /usr/bin/busybox
COPY --from=debian /bin/bash-static /usr/bin/bash
RUN ["/usr/bin/busybox", "sh", "-c", "\
    busybox ln -s usr/bin usr/lib usr/lib64 / && busybox ln -s usr/bin /sbin && busybox mkdir -m 1777 /tmp \
 && busybox mkdir -p /root /var/log && /usr/bin/busybox --install -s /usr/bin \
 && ln -s /usr/lib/jvm/java-1.*/bin/java /usr/bin/java"]
