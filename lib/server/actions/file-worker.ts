import 'server-only'
import { parentPort, workerData } from 'node:worker_threads'
import { checkFile } from '@/lib/domain/files/check-file'

const { name, bytes } = workerData as { name: string; bytes: Uint8Array }

parentPort?.postMessage(await checkFile(name, bytes))
