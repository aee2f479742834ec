import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { dumpDatabase } from './objects'

/** Minimum length of a part of a secret that counts as a leak, in characters. */
const minLeakLength = 13

export const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []))

/** Returns the parts of a secret that a text contains. Every part has 13 characters. */
export function findSecretParts(text: Buffer | string, secret: string): string[] {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text)
  const leakedParts: string[] = []
  // Any 13 consecutive characters contain a complete block of 7, so this searches for the blocks first.
  const halfLength = Math.ceil(minLeakLength / 2)
  for (let at = 0; at + halfLength <= secret.length; at += halfLength) {
    if (bytes.indexOf(secret.slice(at, at + halfLength)) === -1) continue
    for (let from = Math.max(0, at - halfLength); from <= at && from + minLeakLength <= secret.length; from += 1) {
      const secretPart = secret.slice(from, from + minLeakLength)
      if (bytes.indexOf(secretPart) !== -1) leakedParts.push(secretPart)
    }
  }
  return leakedParts
}

/** Returns the words that a text contains as plain text, percent-encoded, or in hex (the form of bytes in a dump). */
export function findWords(text: Buffer | string, words: readonly string[]): string[] {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text)
  return words.filter((word) =>
    [word, Buffer.from(word).toString('hex'), encodeURIComponent(word)].some((form) => bytes.indexOf(form) !== -1),
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
