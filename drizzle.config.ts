import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    'schema',
    'access-schema',
    'payload-schema',
    'desk-schema',
    'quota-schema',
    'mirror-schema',
    'platform-schema',
    'webhook-schema',
    'sync-schema',
    'step-up-schema',
    'notes-schema',
    'notification-schema',
  ].map((name) => `./lib/server/store/${name}.ts`),
  out: './drizzle',
})
