import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './lib/server/store/schema/*.ts',
  out: './drizzle',
})
