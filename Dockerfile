# The app with its embedded Postgres; with DATABASE_URL it uses that one instead.
#   docker build -t rapport . && docker run -p 3000:3000 -v rapport:/data rapport

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
# Generates the database client and builds the pages, exactly as the first `npm start` would.
RUN node bin/prepare.ts

FROM node:24-slim
# Threads share two memory arenas: freed memory is used again instead of being kept by each.
ENV NODE_ENV=production RAPPORT_DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
RUN useradd --system --create-home --uid 10001 rapport && install -d -o rapport -g rapport -m 700 /data
# The code belongs to root: the app cannot change itself.
COPY --from=build /app ./
USER rapport
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/start.ts"]
