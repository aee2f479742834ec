// Checks a file that Paydesk exported: the whole audit, or the evidence on one record. Needs only Node 20 or later.
//
//   node verify-paydesk.mjs BUNDLE.zip [--key KEY] [--heads audit-heads.jsonl]
//
// KEY is the id of the signing key (16 hex digits), as the audit page of the Paydesk installation shows it. With --key, the check fails if
// another key signed the file. --heads names the file of signed heads that the installation keeps outside its database. It shows if the end
// of the audit chain was removed before the export. The exit code is 0 if the file is valid, 1 if not, and 2 if no file is given.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv, exit, stdout } from 'node:process'
import { inflateRawSync } from 'node:zlib'

class InvalidBundleError extends Error {}

const throwInvalidBundle = (why) => {
  throw new InvalidBundleError(why)
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const endRecordMagic = 0x06054b50
const directoryEntryMagic = 0x02014b50
const localHeaderMagic = 0x04034b50
const dataDescriptorMagic = 0x08074b50

/**
 * Returns how many bytes follow an entry's content: 16 if its sizes are repeated there (bit 3 of
 * the flags), otherwise 0.
 */
function countDescriptorBytes(zip, descriptorOffset, expectedPackedSize, flags) {
  if ((flags & 8) === 0) return 0
  if (zip.readUInt32LE(descriptorOffset) !== dataDescriptorMagic || zip.readUInt32LE(descriptorOffset + 8) !== expectedPackedSize) throwInvalidBundle('the sizes behind a file of the zip are not whole')
  return 16
}

/**
 * Returns the unpacked files of a zip by name. Throws if the zip is damaged or contains a byte that
 * belongs to no listed file.
 */
function unzipFiles(zip) {
  const endRecordOffset = zip.length - 22
  if (endRecordOffset < 0 || zip.readUInt32LE(endRecordOffset) !== endRecordMagic) throwInvalidBundle('this is no whole zip file, or something comes after it')
  const filesByName = new Map()
  const directoryOffset = zip.readUInt32LE(endRecordOffset + 16)
  let entryOffset = directoryOffset
  let recordOffset = 0
  for (let left = zip.readUInt16LE(endRecordOffset + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(entryOffset) !== directoryEntryMagic) throwInvalidBundle('the list of files in the zip is not whole')
    const [packedSize, nameLength, extraLength] = [zip.readUInt32LE(entryOffset + 20), zip.readUInt16LE(entryOffset + 28), zip.readUInt16LE(entryOffset + 30) + zip.readUInt16LE(entryOffset + 32)]
    const name = zip.toString('utf8', entryOffset + 46, entryOffset + 46 + nameLength)
    const localHeaderOffset = zip.readUInt32LE(entryOffset + 42)
    if (filesByName.has(name)) throwInvalidBundle(`${name}: there are two of this name`)
    if (localHeaderOffset !== recordOffset || extraLength !== 0) throwInvalidBundle(`${name}: the zip has bytes that belong to no file`)
    if (zip.readUInt32LE(localHeaderOffset) !== localHeaderMagic || zip.readUInt16LE(localHeaderOffset + 28) !== 0) throwInvalidBundle(`${name}: its head in the zip is not whole`)
    const contentOffset = localHeaderOffset + 30 + zip.readUInt16LE(localHeaderOffset + 26)
    if (zip.toString('utf8', localHeaderOffset + 30, contentOffset) !== name) throwInvalidBundle(`${name}: it has another name in the list of files`)
    filesByName.set(name, unpackFile(name, zip.subarray(contentOffset, contentOffset + packedSize), zip.readUInt16LE(entryOffset + 10)))
    recordOffset = contentOffset + packedSize
    recordOffset += countDescriptorBytes(zip, recordOffset, packedSize, zip.readUInt16LE(entryOffset + 8))
    entryOffset += 46 + nameLength
  }
  if (recordOffset !== directoryOffset || entryOffset !== endRecordOffset) throwInvalidBundle('the zip has bytes that belong to no file')
  return filesByName
}

function unpackFile(name, bytes, method) {
  if (method === 0) return bytes
  const inflateResult = inflateFile(name, bytes)
  if (inflateResult.engine.bytesWritten !== bytes.length) throwInvalidBundle(`${name}: the zip has bytes that belong to no file`)
  return inflateResult.buffer
}

function inflateFile(name, bytes) {
  try {
    return inflateRawSync(bytes, { info: true })
  } catch {
    return throwInvalidBundle(`${name}: it cannot be unpacked`)
  }
}

function parseJsonFile(files, name) {
  const bytes = files.get(name) ?? throwInvalidBundle(`${name}: it is missing`)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return throwInvalidBundle(`${name}: it is not readable`)
  }
}

/** Returns the public keys by id. Throws if an id is not the beginning of its key's hash. */
function readPublicKeys(files) {
  const publicKeyById = new Map()
  for (const { key, spki } of parseJsonFile(files, 'keys.json')) {
    const der = Buffer.from(spki, 'base64')
    if (sha256(der).slice(0, 16) !== key) throwInvalidBundle(`keys.json: ${key} is not the id of its key`)
    publicKeyById.set(key, createPublicKey({ key: der, format: 'der', type: 'spki' }))
  }
  return publicKeyById
}

const isSigned = (keys, bytes, { key, signature }) => keys.has(key) && verify(null, Buffer.from(bytes), keys.get(key), Buffer.from(signature, 'base64'))

/**
 * Returns the manifest after checking its signature, and every file against the manifest. `expectedKey`
 * is the id of the key that must have signed.
 */
function readVerifiedManifest(files, expectedKey) {
  const keys = readPublicKeys(files)
  const manifestText = files.get('manifest.json')?.toString('utf8') ?? throwInvalidBundle('manifest.json: it is missing')
  const manifestSignature = parseJsonFile(files, 'signature.json')
  if (expectedKey && manifestSignature.key !== expectedKey) throwInvalidBundle(`signature.json: signed by the key ${manifestSignature.key}, not by ${expectedKey}`)
  if (!isSigned(keys, `paydesk-manifest-1\n${manifestText}`, manifestSignature)) throwInvalidBundle('manifest.json: it was changed after it was signed')
  const manifest = JSON.parse(manifestText)
  const listedNames = new Set(['manifest.json', 'signature.json'])
  for (const { name, size, sha256: hash } of manifest.files) {
    listedNames.add(name)
    const bytes = files.get(name) ?? throwInvalidBundle(`${name}: it is missing`)
    if (bytes.length !== size || sha256(bytes) !== hash) throwInvalidBundle(`${name}: it was changed after it was signed`)
  }
  for (const name of files.keys()) if (!listedNames.has(name)) throwInvalidBundle(`${name}: it was added after the rest was signed`)
  return { manifest, keys }
}

const hashRow = ({ seq, prev, body }) => sha256(`paydesk-audit-1\n${seq}\n${prev}\n${body}`)

const splitLines = (bytes) => bytes.toString('utf8').split('\n').filter(Boolean)

function parseAuditRows(bytes) {
  return splitLines(bytes).map((line, at) => {
    try {
      return JSON.parse(line)
    } catch {
      return throwInvalidBundle(`audit.jsonl: line ${at + 1} is not readable`)
    }
  })
}

/**
 * Checks the hash and order of each row. For a whole chain, also checks that each row follows the
 * one before it.
 */
function checkRows(rows, isWhole) {
  let previousRow = { seq: 0, hash: '' }
  for (const row of rows) {
    if (row.hash !== hashRow(row)) throwInvalidBundle(`row ${row.seq}: its content was changed`)
    if (isWhole && row.seq !== previousRow.seq + 1) throwInvalidBundle(`row ${previousRow.seq + 1}: it is missing`)
    if (isWhole && row.prev !== previousRow.hash) throwInvalidBundle(`row ${row.seq}: it does not follow from the row before it`)
    if (row.seq <= previousRow.seq) throwInvalidBundle(`row ${row.seq}: it is not in order`)
    previousRow = row
  }
}

/**
 * Returns the text of a head that is signed. Heads of older versions have no position (`count`) in
 * a chain of heads.
 */
const toSignedText = ({ origin, seq, hash, at, file, count, prev }) =>
  count === undefined
    ? `paydesk-audit-head-1\n${origin}\n${seq}\n${hash}\n${at}`
    : `paydesk-audit-head-2\n${origin}\n${seq}\n${hash}\n${at}\n${file}\n${count}\n${prev}`

/** Checks a file of heads: throws if a head before the last one is missing or was changed. */
function checkHeadLinks(heads) {
  heads.forEach((head, at) => {
    const previousHead = heads[at - 1]
    if (head.count === undefined ? previousHead?.count !== undefined : head.count !== at + 1) throwInvalidBundle(`head of row ${head.seq}: the one before it is missing`)
    const expectedLink = previousHead ? sha256(`${toSignedText(previousHead)}\n${previousHead.signature}`) : ''
    if (head.count !== undefined && head.prev !== expectedLink) throwInvalidBundle(`head of row ${head.seq}: the one before it was changed`)
  })
}

/** Compares rows with heads that were signed while the audit chain grew. */
function checkHeads(rows, heads, { keys, whole, madeAt }) {
  const hashBySeq = new Map(rows.map(({ seq, hash }) => [seq, hash]))
  const lastSeq = rows.at(-1)?.seq ?? 0
  for (const head of heads) {
    const { origin, seq, hash, at } = head
    if (!isSigned(keys, toSignedText(head), head)) throwInvalidBundle(`head of row ${seq}: none of the keys signed it`)
    if (whole && origin !== rows[0]?.hash) throwInvalidBundle(`head of row ${seq}: it is of another chain`)
    // A head that was signed after the export can name a row that the export does not contain, so
    // it is ignored here.
    if (whole && seq > lastSeq && at <= madeAt) throwInvalidBundle(`row ${seq}: the chain was cut before it, which was there when its head was signed`)
    if (hashBySeq.has(seq) && hashBySeq.get(seq) !== hash) throwInvalidBundle(`row ${seq}: it was rewritten since its head was signed`)
  }
}

const parseHeads = (bytes) =>
  splitLines(bytes).map((line) => {
    try {
      return JSON.parse(line)
    } catch {
      return throwInvalidBundle('a signed head is not readable')
    }
  })

/**
 * Checks a bundle. Returns lines of text that describe its content. Throws an error that names the
 * first fault.
 */
export function verifyBundle(zip, { key, heads } = {}) {
  const files = unzipFiles(zip)
  const { manifest, keys } = readVerifiedManifest(files, key)
  const isWholeChain = manifest.whole === true
  const rows = parseAuditRows(files.get('audit.jsonl') ?? throwInvalidBundle('audit.jsonl: it is missing'))
  checkRows(rows, isWholeChain)
  const installationHeads = parseHeads(heads ?? Buffer.alloc(0))
  checkHeadLinks(installationHeads)
  const allHeads = [...parseHeads(files.get('heads.jsonl') ?? Buffer.alloc(0)), ...installationHeads]
  checkHeads(rows, allHeads, { keys, whole: isWholeChain, madeAt: manifest.made_at })
  return [
    `${manifest.format}, made ${manifest.made_at}`,
    `signed by the key ${manifest.key}${key ? '' : ': compare it with the one that the audit page shows'}`,
    `${manifest.files.length} files as they were signed`,
    isWholeChain ? `${rows.length} rows, each linked to the one before it` : `${rows.length} rows of the audit, each as it was written`,
    `${allHeads.length} signed heads`,
  ]
}

const readOption = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined)

function main() {
  const [, , bundle] = argv
  if (!bundle || bundle.startsWith('--')) {
    stdout.write('use: node verify-paydesk.mjs BUNDLE.zip [--key KEY] [--heads audit-heads.jsonl]\n')
    return 2
  }
  try {
    const headsPath = readOption('--heads')
    const reportLines = verifyBundle(readFileSync(bundle), { key: readOption('--key'), heads: headsPath && readFileSync(headsPath) })
    stdout.write(`holds: ${reportLines.join('; ')}\n`)
    return 0
  } catch (error) {
    stdout.write(`BROKEN: ${error instanceof Error ? error.message : 'unknown reason'}\n`)
    return 1
  }
}

// Runs `main` only if this file is started as a program, and not if another module imports it.
if (argv[1]?.endsWith('verify-paydesk.mjs')) exit(main())
