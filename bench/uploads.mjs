import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { printGoal, printTable } from './lib/figures.mjs'
import { coreByRole } from './lib/pin.mjs'
import { readMemoryMib } from './lib/proc.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

const fileSize = 10 * 1024 * 1024
const chunkSize = 64 * 1024
const fillerChunk = randomBytes(chunkSize)

/** All PDFs share the filler bytes: fifty separate copies would need half a gigabyte of memory. */
function buildPdf(number) {
  const pdfCatalogObjects =
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n'
  const pdfHead = Buffer.from(
    `%PDF-1.7\n% ${number} ${randomUUID()}\n${pdfCatalogObjects}3 0 obj\n<< /Length 4 0 R >>\nstream\n`.padEnd(
      chunkSize,
    ),
  )
  const pdfEnd = Buffer.from(
    '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n'.padEnd(
      chunkSize,
      '\n',
    ),
  )
  const pdfParts = [
    pdfHead,
    ...Array.from({ length: fileSize / chunkSize - 2 }, () => fillerChunk),
    pdfEnd,
  ]
  const hash = createHash('sha256')
  for (const buffer of pdfParts) hash.update(buffer)
  return { parts: pdfParts, sha256: hash.digest('hex') }
}

async function uploadFile(dashboard, headers, payout, { parts }) {
  const boundary = 'bench-boundary-51c7'
  const multipartHead = `--${boundary}\r\nContent-Disposition: form-data; name="File"; filename="proof.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
  const multipartTail = `\r\n--${boundary}--\r\n`
  const url = `${dashboard.url}/api/sandbox/v1/payouts/${payout.id}/authorization?account=acct_${payout.account_id}`
  const uploadRequest = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': multipartHead.length + fileSize + multipartTail.length,
      'action-proof': 'authorized_by=Ana+Example&authorized_on=2026-03-31&method=signed_agreement',
      'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
    },
  })
  const responsePromise = new Promise((resolve, reject) => {
    uploadRequest.once('response', resolve).on('error', reject)
  })
  // The server may answer before it has read the file, and then close the connection.
  const sentPromise = pipeline(
    Readable.from([multipartHead, ...parts, multipartTail]),
    uploadRequest,
  ).catch(() => undefined)
  const [response] = await Promise.all([responsePromise, sentPromise])
  const body = await text(response)
  return {
    status: response.statusCode,
    body,
    retryAfter: Number(response.headers['retry-after'] ?? 0),
  }
}

/** Retries as the upload panel does: after a 429 or 503 it waits for the time in `Retry-After`. */
async function uploadWithRetry(...sending) {
  for (let tries = 1; ; tries += 1) {
    const uploadResult = await uploadFile(...sending)
    if (![429, 503].includes(uploadResult.status) || tries === 60) return { ...uploadResult, tries }
    await wait(uploadResult.retryAfter * 1000)
  }
}

async function hasArrivedComplete(sandbox, payout, file) {
  const { data } = await sandbox.ask(`/sandbox/journal?target=${payout.id}`)
  return data.length === 1 && data[0].file_sha256 === file.sha256
}

/**
 * Measures how much the dashboard's memory grows during many large uploads. Checks that each file
 * arrives unchanged and only once. Linux only, because it reads /proc.
 */
export async function uploads({ quick, pinned }) {
  const toCoreOption = (core) => (pinned ? { core } : {})
  const sandbox = await startSandbox(toCoreOption(coreByRole.rest))
  const dashboard = await startDashboard({ ...toCoreOption(coreByRole.subject), sandbox })
  try {
    const headers = await signIn(dashboard.url)
    const makePayout = () => sandbox.ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
    const warmUpResult = await uploadFile(dashboard, headers, await makePayout(), buildPdf('warm'))
    if (warmUpResult.status !== 201)
      throw new Error(`the first upload was answered ${warmUpResult.status} ${warmUpResult.body}`)
    const payoutsWithFiles = await Promise.all(
      Array.from({ length: quick ? 10 : 50 }, async (_, number) => ({
        payout: await makePayout(),
        file: buildPdf(number),
      })),
    )
    const memoryBefore = readMemoryMib(dashboard.pid, 'VmRSS')
    // Resets the peak memory of the process (see proc_pid_clear_refs).
    writeFileSync(`/proc/${dashboard.pid}/clear_refs`, '5')
    const startedAt = performance.now()
    const uploadResults = await Promise.all(
      payoutsWithFiles.map(({ payout, file }) => uploadWithRetry(dashboard, headers, payout, file)),
    )
    const seconds = (performance.now() - startedAt) / 1000
    const [peak, after] = [
      readMemoryMib(dashboard.pid, 'VmHWM'),
      readMemoryMib(dashboard.pid, 'VmRSS'),
    ]
    const intactCount = (
      await Promise.all(
        payoutsWithFiles.map(({ payout, file }) => hasArrivedComplete(sandbox, payout, file)),
      )
    ).filter(Boolean).length
    const acceptedCount = uploadResults.filter(({ status }) => status === 201).length
    printTable(
      ['', 'at once', 'tries', 'seconds', 'MiB/s', 'RSS before', 'peak', 'after'],
      [
        [
          '10 MiB uploads',
          payoutsWithFiles.length,
          uploadResults.reduce((sum, { tries }) => sum + tries, 0),
          seconds.toFixed(1),
          ((payoutsWithFiles.length * 10) / seconds).toFixed(0),
          ...[memoryBefore, peak, after].map(Math.round),
        ],
      ],
    )
    console.info('')
    printGoal('growth of RSS', peak - memoryBefore, 150, { unit: ' MiB', digits: 0 })
    printGoal('answers 201', acceptedCount, payoutsWithFiles.length, { digits: 0, atLeast: true })
    printGoal('files that arrived byte-identical and once', intactCount, payoutsWithFiles.length, {
      digits: 0,
      atLeast: true,
    })
  } finally {
    await dashboard.stop()
    await sandbox.stop()
  }
}
