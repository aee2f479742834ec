import { deflateRawSync } from 'node:zlib'
import { readHeads } from '@/lib/server/audit/heads'
import { signedZip } from '@/lib/server/audit/signed-zip'
import { verifyBundle } from '@/public/verify-paydesk.mjs'

const toJsonLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`)

/** Returns an audit export with these rows and the signed heads, as a zip. */
export async function buildAuditExport(rows: readonly object[]): Promise<Buffer> {
  const files = [
    { name: 'audit.jsonl', parts: toJsonLines(rows) },
    { name: 'heads.jsonl', parts: toJsonLines(readHeads().heads) },
  ]
  const chunks: Uint8Array[] = []
  const manifest = () => ({ format: 'paydesk-audit-1' as const, made_at: new Date().toISOString(), whole: true })
  for await (const chunk of signedZip(files, manifest)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the error of the standalone verifier for an audit export, or null if the export is valid. */
export const findExportFault = (zip: Buffer, options: { key?: string; heads?: Buffer } = {}): string | null => {
  try {
    verifyBundle(zip, options)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown'
  }
}

/** Returns a zip of compressed files, with the bytes `more` after the data of the first file. */
export function buildZip(files: readonly (readonly [string, Buffer])[], more = Buffer.alloc(0)): Buffer {
  const [heads, entries]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [place, [name, bytes]] of files.entries()) {
    const packed = Buffer.concat([deflateRawSync(bytes), place === 0 ? more : Buffer.alloc(0)])
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(bytes.length, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    heads.push(head, Buffer.from(name), packed)
    entries.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...heads, list, end])
}
