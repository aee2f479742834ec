import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'

const root = fileURLToPath(new URL('../../sandbox/', import.meta.url))

/** Path of the bundled sandbox. It must be inside the sandbox folder, so that imports of packages resolve. */
export const programPath = join(root, 'build', 'sandbox-for-tests.mjs')

async function bundleSandbox(): Promise<void> {
  const temporaryPath = `${programPath}.${process.pid}`
  await build({
    absWorkingDir: root,
    entryPoints: ['main.ts'],
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
    outfile: temporaryPath,
  })
  // Rename at the end, because concurrent test runs write the same file.
  renameSync(temporaryPath, programPath)
}

/** Bundles the sandbox. Vitest calls it before the first file and before each rerun. */
export async function setup(project: TestProject): Promise<void> {
  await bundleSandbox()
  project.onTestsRerun(bundleSandbox)
}
