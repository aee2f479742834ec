import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The sandbox as the start command bundles it. It lies in the sandbox's folder, so that the packages which stay outside of the bundle are found. */
export const program = join(root, 'build', 'sandbox-for-tests.mjs')

async function bundle(): Promise<void> {
  const own = `${program}.${process.pid}`
  await build({
    absWorkingDir: root,
    entryPoints: ['main.ts'],
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
    outfile: own,
  })
  // Put in place by a rename, because runs may be beside each other.
  renameSync(own, program)
}

/** Vitest runs it before the first file, and before whatever it runs again. */
export async function setup(project: TestProject): Promise<void> {
  await bundle()
  project.onTestsRerun(bundle)
}
