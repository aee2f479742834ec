import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./lib/server/store/schema.ts', './lib/server/store/desk-schema.ts', './lib/server/store/limit-schema.ts'],
  out: './drizzle',
})
