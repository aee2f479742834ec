import { type SandboxProcess, startProcess } from '@/tests/sandbox/start-process'
import { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/**
 * Starts processes on one data folder, one after another. They send their events to the same
 * receiver.
 */
export type FolderProcessStarter = {
  start: (...flags: string[]) => Promise<SandboxProcess>
  receiver: WebhookReceiver
  end: () => Promise<void>
}

/**
 * Opens a webhook receiver for processes on a data folder. `end` kills a running process and closes
 * the receiver. The caller deletes the folder.
 */
export async function createFolderProcessStarter(folder: string): Promise<FolderProcessStarter> {
  const webhookReceiver = await WebhookReceiver.open(webhookSecret)
  let lastProcess: SandboxProcess | undefined
  const startFolderProcess = async (...flags: string[]) => {
    lastProcess = await startProcess(
      folder,
      '--control',
      '--payments',
      '600',
      ...webhookReceiver.flags,
      ...flags,
    )
    return lastProcess
  }
  const stopProcessAndReceiver = async () => {
    await lastProcess?.stop('SIGKILL')
    await webhookReceiver.close()
  }
  return { start: startFolderProcess, receiver: webhookReceiver, end: stopProcessAndReceiver }
}
