import 'server-only'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { fileProblems } from '@/lib/domain/files/refusal'
import type { FileProblem } from '@/lib/domain/files/rules'
import { getTimeSettings } from '@/lib/server/config/env'

/** Megabytes for one check. The bytes of the file are not included. */
const workerMemoryLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
const isTimeout = (error: unknown) => error instanceof Error && error.name === 'AbortError'

/**
 * A malicious file can make the parsing libraries run or allocate without end. A check that exceeds
 * its time or memory limit is reported as a problem of the file.
 */
export async function checkFileInWorker(
  name: string,
  bytes: Uint8Array,
): Promise<FileProblem | null> {
  const worker = new Worker(new URL('./file-worker.ts', import.meta.url), {
    workerData: { name, bytes },
    resourceLimits: workerMemoryLimits,
    env: {},
  })
  try {
    const [problem] = await once(worker, 'message', {
      signal: AbortSignal.timeout(getTimeSettings().fileCheck.whole),
    })
    return problem as FileProblem | null
  } catch (error) {
    if (isTimeout(error) || isOutOfMemory(error)) return fileProblems.tooComplex
    throw error
  } finally {
    await worker.terminate()
  }
}
