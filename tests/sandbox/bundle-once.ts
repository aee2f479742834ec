import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'

const sandboxFolder = fileURLToPath(new URL('../../sandbox/', import.meta.url))

/**
 * Path of the bundled sandbox. It must be inside the sandbox folder, so that imports of packages
 * resolve.
 */
export const bundledSandboxPath = join(sandboxFolder, 'build', 'sandbox-for-tests.mjs')

async function bundleSandbox(): Promise<void> {
  const temporaryPath = `${bundledSandboxPath}.${process.pid}`
  await build({
    absWorkingDir: sandboxFolder,
    entryPoints: ['main.ts'],
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
    outfile: temporaryPath,
  })
  // Concurrent test runs write the same file. The rename replaces it in one step, so that no run
  // reads an incomplete file.
  renameSync(temporaryPath, bundledSandboxPath)
}

/**
 * Bundles the sandbox. Vitest calls this function before the first test file and before each rerun.
 */
export async function setup(project: TestProject): Promise<void> {
  await bundleSandbox()
  project.onTestsRerun(bundleSandbox)
}
