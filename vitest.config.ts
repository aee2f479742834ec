import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const alias = { '@': root.replace(/\/$/, '') }

/** `unit` needs nothing but Node; `integration` starts real processes and takes the build for granted. */
export default defineConfig({
  resolve: { alias },
  test: {
    // Most tests wait for the process they started; one worker on two cores would leave the machine half idle.
    maxWorkers: 2,
    projects: [
      {
        resolve: { alias, conditions: ['react-server'] },
        ssr: { resolve: { conditions: ['react-server'] } },
        test: {
          name: 'unit',
          environment: 'node',
          // How many random sequences the sandbox's models take; see sandbox/model/sequences.ts.
          provide: { sequences: process.env.MODEL_SEQUENCES === 'all' ? 'all' : 'some' },
          include: ['lib/**/*.test.ts', 'scripts/**/*.test.ts', 'sandbox/**/*.test.ts'],
          // Many start a process or a database, which takes seconds on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: { name: 'components', environment: 'happy-dom', include: ['components/**/*.test.{ts,tsx}'] },
      },
      {
        resolve: { alias, conditions: ['react-server'] },
        ssr: { resolve: { conditions: ['react-server'] } },
        test: {
          name: 'integration',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
