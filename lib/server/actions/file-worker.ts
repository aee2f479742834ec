import 'server-only'
import { parentPort, workerData } from 'node:worker_threads'
import { checkFile } from '@/lib/domain/files/check-file'

/** Runs in a worker: checks one file and sends its problem, or null, to the main thread. */
const { name, bytes } = workerData as { name: string; bytes: Uint8Array }

parentPort?.postMessage(await checkFile(name, bytes))
