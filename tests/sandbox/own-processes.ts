import { rmSync } from 'node:fs'
import { afterEach } from 'vitest'
import { SandboxClient } from './sandbox-client'
import { createDataFolder, type SandboxProcess, startProcess } from './start-process'

export type StartedProcess = { process: SandboxProcess; client: SandboxClient }

type TestProcesses = {
  /** Creates a data folder that is deleted after the test. */
  folder: () => string
  /** Starts a process with the control plane on a data folder and stops it after the test. */
  start: (data: string, ...args: string[]) => Promise<StartedProcess>
}

export function createTestProcesses(): TestProcesses {
  const openProcesses: SandboxProcess[] = []
  const createdFolders: string[] = []
  afterEach(async () => {
    for (const process of openProcesses.splice(0)) await process.stop()
    for (const dataFolder of createdFolders.splice(0))
      rmSync(dataFolder, { recursive: true, force: true })
  })
  const createTestFolder = () => {
    const dataFolder = createDataFolder()
    createdFolders.push(dataFolder)
    return dataFolder
  }
  const startTestProcess = async (data: string, ...args: string[]) => {
    const sandboxProcess = await startProcess(data, '--control', ...args)
    openProcesses.push(sandboxProcess)
    return { process: sandboxProcess, client: new SandboxClient(sandboxProcess) }
  }
  return { folder: createTestFolder, start: startTestProcess }
}
