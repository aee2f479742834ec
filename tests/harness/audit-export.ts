import { deflateRawSync } from 'node:zlib'
import { readHeads } from '@/lib/server/audit/heads'
import { createSignedZip } from '@/lib/server/audit/signed-zip'
import { verifyBundle } from '@/public/verify-paydesk.mjs'

const toJsonLines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`)

/**
 * Returns an audit export as a zip file. It contains these rows, and the signed heads (signatures
 * of audit rows) from the data folder.
 */
export async function buildAuditExport(rows: readonly object[]): Promise<Buffer> {
  const exportFiles = [
    { name: 'audit.jsonl', parts: toJsonLines(rows) },
    { name: 'heads.jsonl', parts: toJsonLines(readHeads().heads) },
  ]
  const chunks: Uint8Array[] = []
  const buildManifest = () => ({
    format: 'paydesk-audit-1' as const,
    made_at: new Date().toISOString(),
    whole: true,
  })
  for await (const chunk of createSignedZip(exportFiles, buildManifest)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Returns the error message of the standalone verifier (`verify-paydesk.mjs`) for an audit export,
 * or null if the export is valid.
 */
export const findExportFault = (
  zip: Buffer,
  options: { key?: string; heads?: Buffer } = {},
): string | null => {
  try {
    verifyBundle(zip, options)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown'
  }
}

/**
 * Returns a zip file with compressed files. Puts the bytes `more` after the data of the first file,
 * where they belong to no file.
 */
export function buildZip(
  files: readonly (readonly [string, Buffer])[],
  more = Buffer.alloc(0),
): Buffer {
  const [heads, entries]: [Buffer[], Buffer[]] = [[], []]
  let recordOffset = 0
  for (const [place, [name, bytes]] of files.entries()) {
    const packedBytes = Buffer.concat([deflateRawSync(bytes), place === 0 ? more : Buffer.alloc(0)])
    const localHeader = Buffer.alloc(30)
    localHeader.writeUInt32LE(0x04034b50, 0)
    localHeader.writeUInt16LE(8, 8)
    localHeader.writeUInt32LE(packedBytes.length, 18)
    localHeader.writeUInt32LE(bytes.length, 22)
    localHeader.writeUInt16LE(name.length, 26)
    const centralEntry = Buffer.alloc(46)
    centralEntry.writeUInt32LE(0x02014b50, 0)
    centralEntry.writeUInt16LE(8, 10)
    centralEntry.writeUInt32LE(packedBytes.length, 20)
    centralEntry.writeUInt32LE(bytes.length, 24)
    centralEntry.writeUInt16LE(name.length, 28)
    centralEntry.writeUInt32LE(recordOffset, 42)
    heads.push(localHeader, Buffer.from(name), packedBytes)
    entries.push(centralEntry, Buffer.from(name))
    recordOffset += 30 + name.length + packedBytes.length
  }
  const centralDirectory = Buffer.concat(entries)
  const endRecord = Buffer.alloc(22)
  endRecord.writeUInt32LE(0x06054b50, 0)
  endRecord.writeUInt16LE(files.length, 8)
  endRecord.writeUInt16LE(files.length, 10)
  endRecord.writeUInt32LE(centralDirectory.length, 12)
  endRecord.writeUInt32LE(recordOffset, 16)
  return Buffer.concat([...heads, centralDirectory, endRecord])
}
