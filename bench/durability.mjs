import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { printGoal, printTable } from './lib/figures.mjs'
import { coreByRole, pinSelf } from './lib/pin.mjs'
import { repositoryRoot } from './lib/servers.mjs'

/**
 * Bundles and loads the code of the rounds, which is TypeScript, because a test uses it too. The
 * bundle must be two folders below the root: its code finds the sandbox relative to its own file.
 */
async function bundleAndImportKillRounds() {
  const outfile = join(repositoryRoot, 'sandbox/build/durability.mjs')
  const entryCode = ['kill-rounds', 'start-own-folder']
    .map((name) => `export * from '@/tests/sandbox/durability/${name}'`)
    .join('\n')
  await build({
    stdin: { contents: entryCode, resolveDir: repositoryRoot, loader: 'ts' },
    ...{
      absWorkingDir: repositoryRoot,
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    },
  })
  return import(pathToFileURL(outfile).href)
}

/**
 * Kills the sandbox a hundred times while it receives writes (10 times with `quick`). Checks that
 * each acknowledged write exists exactly once and is consistent.
 */
export async function durability({ quick, seed, pinned }) {
  // Allows two CPU cores. The child processes inherit this: otherwise the writers, the sandbox and
  // the webhook receiver would share one core.
  if (pinned) pinSelf(coreByRole.either)
  const { killRounds, startOwnFolder } = await bundleAndImportKillRounds()
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-durability-'))
  const sandbox = await startOwnFolder(folder)
  const roundCount = quick ? 10 : 100
  console.info(`  seed ${seed}: ${roundCount} rounds on one data folder, 200 writes/s`)
  try {
    const killRoundsResult = await killRounds({
      ...sandbox,
      rounds: roundCount,
      seed,
      perSecond: 200,
      longestMs: 2_500,
      say: (line) => console.info(`  ${line}`),
    })
    const { violations, ...figures } = killRoundsResult
    printTable(
      ['', 'figure'],
      Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(1))]),
    )
    for (const line of violations.slice(0, 50)) console.info(`  violation: ${line}`)
    console.info('')
    printGoal('writes sent in a second of load', killRoundsResult.perSecond, 190, { atLeast: true })
    printGoal(
      'writes that got their own answer back',
      killRoundsResult.replayed,
      killRoundsResult.sent,
      {
        digits: 0,
        atLeast: true,
      },
    )
    printGoal('violations', violations.length, 0, { digits: 0 })
    if (violations.length > 0) process.exitCode = 1
  } finally {
    if (pinned) pinSelf()
    await sandbox.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
