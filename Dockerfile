# The dashboard, without the embedded sandbox: a payments service, AUTH_SECRET and ENCRYPTION_KEY have to be given. docs/operations.md says how it is run.
FROM node:24-bookworm-slim AS build
WORKDIR /paydesk
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
COPY sandbox/package.json sandbox/
RUN npm ci
COPY . .
RUN node scripts/ensure.mjs build && npm prune --omit=dev && rm -rf .next/new

FROM node:24-bookworm-slim
WORKDIR /paydesk
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 DATA_DIR=/data
COPY --from=build /paydesk/package.json /paydesk/next.config.mjs ./
COPY --from=build /paydesk/node_modules node_modules
COPY --from=build /paydesk/public public
COPY --from=build /paydesk/drizzle drizzle
COPY --from=build /paydesk/build build
COPY --from=build /paydesk/.next .next
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "build/serve.mjs", "--host", "0.0.0.0", "--port", "3000"]
