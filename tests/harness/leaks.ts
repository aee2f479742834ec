import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { dumpDatabase } from './objects'

/** Number of consecutive characters of a secret that count as a leak. */
const minLeakLength = 13

export const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []))

/** Returns every part of a secret, 13 characters long, that a text contains. */
export function findSecretParts(text: Buffer | string, secret: string): string[] {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text)
  const leakedParts: string[] = []
  // Search for blocks of 7 characters first, for speed. Every part of 13 characters contains one of
  // these blocks completely, so a part is possible only around a block that was found.
  const blockLength = Math.ceil(minLeakLength / 2)
  for (
    let blockOffset = 0;
    blockOffset + blockLength <= secret.length;
    blockOffset += blockLength
  ) {
    if (bytes.indexOf(secret.slice(blockOffset, blockOffset + blockLength)) === -1) continue
    for (
      let partOffset = Math.max(0, blockOffset - blockLength);
      partOffset <= blockOffset && partOffset + minLeakLength <= secret.length;
      partOffset += 1
    ) {
      const secretPart = secret.slice(partOffset, partOffset + minLeakLength)
      if (bytes.indexOf(secretPart) !== -1) leakedParts.push(secretPart)
    }
  }
  return leakedParts
}

/**
 * Returns the words that a text contains as plain text, percent-encoded, or in hex (the form of
 * bytes in a dump).
 */
export function findLeakedWords(text: Buffer | string, words: readonly string[]): string[] {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text)
  return words.filter((word) =>
    [word, Buffer.from(word).toString('hex'), encodeURIComponent(word)].some(
      (form) => bytes.indexOf(form) !== -1,
    ),
  )
}

export async function dumpAllRows(url: string): Promise<string> {
  const db = new Client(url)
  await db.connect()
  try {
    return await dumpDatabase(db)
  } finally {
    await db.end()
  }
}
