import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { printGoal, printTable } from './lib/figures.mjs'
import { cores, pinSelf } from './lib/pin.mjs'
import { ownRoot } from './lib/servers.mjs'

/**
 * The rounds are written in TypeScript beside the test that runs a few of them. The bundle lies a folder below the sandbox's, as the source
 * of what finds the sandbox by its own place does.
 */
async function loadRounds() {
  const outfile = join(ownRoot, 'sandbox/build/durability.mjs')
  const contents = ['kill-rounds', 'start-own-folder'].map((name) => `export * from '@/sandbox/testing/durability/${name}'`).join('\n')
  await build({
    stdin: { contents, resolveDir: ownRoot, loader: 'ts' },
    ...{ absWorkingDir: ownRoot, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
  })
  return import(pathToFileURL(outfile).href)
}

/** Kills the sandbox a hundred times while it is written to, and says whether everything it acknowledged is there, once, and agrees. */
export async function durability({ quick, seed, pinned }) {
  // Whoever writes, the sandbox and the receiver would share one core otherwise, since its processes inherit where they may run.
  if (pinned) pinSelf(cores.either)
  const { killRounds, startOwnFolder } = await loadRounds()
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-durability-'))
  const own = await startOwnFolder(folder)
  const rounds = quick ? 10 : 100
  console.info(`  seed ${seed}: ${rounds} rounds on one data folder, 200 writes/s`)
  try {
    const verdict = await killRounds({ ...own, rounds, seed, perSecond: 200, longestMs: 2_500, say: (line) => console.info(`  ${line}`) })
    const { violations, ...figures } = verdict
    printTable(
      ['', 'figure'],
      Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(1))]),
    )
    for (const line of violations.slice(0, 50)) console.info(`  violation: ${line}`)
    console.info('')
    printGoal('writes sent in a second of load', verdict.perSecond, 190, { atLeast: true })
    printGoal('writes that got their own answer back', verdict.replayed, verdict.sent, { digits: 0, atLeast: true })
    printGoal('violations', violations.length, 0, { digits: 0 })
    if (violations.length > 0) process.exitCode = 1
  } finally {
    if (pinned) pinSelf()
    await own.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
