# syntax=docker/dockerfile:1
# The digest decides. Raise both together (docs/operating/containers.md).
ARG NODE_IMAGE=node:22.23.2-bookworm-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY packages/client/package.json packages/client/
COPY packages/guard/package.json packages/guard/
COPY packages/react/package.json packages/react/
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build && npm run build:image && node deploy/image/keep-optional.mjs && npm prune --omit=dev --workspaces=false --no-audit --no-fund && node deploy/image/slim.mjs

FROM ${NODE_IMAGE}
ARG NODE_IMAGE
ARG VERSION=0.2.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Castellan" \
      org.opencontainers.image.description="Identity and access service" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.base.name="docker.io/library/${NODE_IMAGE}"
ENV NODE_ENV=production
# Nothing is installed in a container.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/i18n ./i18n
USER node
EXPOSE 4000
# Nothing is written to the file system: run it with --read-only.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# One file with V8's code of it: half of the start of `dist/main.js`, which starts the same server from its modules.
CMD ["node", "dist/server/start.cjs"]
