import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { runKillRounds } from '@/tests/sandbox/durability/kill-rounds'
import {
  createFolderProcessStarter,
  type FolderProcessStarter,
} from '@/tests/sandbox/durability/start-own-folder'
import { createDataFolder } from '@/tests/sandbox/start-process'

const killRoundCount = 5

const dataFolder = createDataFolder()
let processStarter: FolderProcessStarter | undefined

afterAll(async () => {
  await processStarter?.end()
  rmSync(dataFolder, { recursive: true, force: true })
})

test('every acknowledged write survives kill -9 exactly once, and all data is consistent', async () => {
  processStarter = await createFolderProcessStarter(dataFolder)
  const killRoundsResult = await runKillRounds({
    ...processStarter,
    rounds: killRoundCount,
    seed: 20_240_611,
    perSecond: 200,
    longestMs: 800,
  })
  expect(killRoundsResult.violations).toEqual([])
  expect(killRoundsResult).toMatchObject({ rounds: killRoundCount, kills: 2 * killRoundCount + 2 })
  expect(killRoundsResult.replayed).toBe(killRoundsResult.sent)
  // The number of acknowledged writes depends on the machine's speed. Require at least as many as
  // rounds, because a round without an acknowledged write proves nothing.
  expect(killRoundsResult.acknowledged).toBeGreaterThanOrEqual(killRoundsResult.rounds)
}, 240_000)
