// Checks a file that Paydesk exported: the audit, or the evidence on one record. It needs Node 20 or later and nothing else.
//
//   node verify-paydesk.mjs BUNDLE.zip [--key KEY] [--heads audit-heads.jsonl]
//
// KEY is the id of the signing key (16 hex digits) as the audit page of the installation shows it. --heads names the file of signed heads that the
// installation keeps outside its store: a chain that was cut before the export is found by it. Ends with 0 where everything holds, else with 1.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv, exit, stdout } from 'node:process'
import { inflateRawSync } from 'node:zlib'

class Broken extends Error {}

const fail = (why) => {
  throw new Broken(why)
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const sizesMark = 0x08074b50

/** How much comes after an entry's bytes: its sizes, where its head does not have them. */
function sizesAfter(zip, at, packed, flags) {
  if ((flags & 8) === 0) return 0
  if (zip.readUInt32LE(at) !== sizesMark || zip.readUInt32LE(at + 8) !== packed) fail('the sizes behind a file of the zip are not whole')
  return 16
}

/** The files of a zip by name, unpacked. Every byte of it has to belong to one of them or to the list of them: throws for one that has more, or is not whole. */
function filesOf(zip) {
  const end = zip.length - 22
  if (end < 0 || zip.readUInt32LE(end) !== endMark) fail('this is no whole zip file, or something comes after it')
  const files = new Map()
  const list = zip.readUInt32LE(end + 16)
  let at = list
  let next = 0
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== entryMark) fail('the list of files in the zip is not whole')
    const [packed, nameLength, more] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    if (files.has(name)) fail(`${name}: there are two of this name`)
    if (local !== next || more !== 0) fail(`${name}: the zip has bytes that belong to no file`)
    if (zip.readUInt32LE(local) !== localMark || zip.readUInt16LE(local + 28) !== 0) fail(`${name}: its head in the zip is not whole`)
    const begin = local + 30 + zip.readUInt16LE(local + 26)
    if (zip.toString('utf8', local + 30, begin) !== name) fail(`${name}: it has another name in the list of files`)
    files.set(name, unpacked(name, zip.subarray(begin, begin + packed), zip.readUInt16LE(at + 10)))
    next = begin + packed
    next += sizesAfter(zip, next, packed, zip.readUInt16LE(at + 8))
    at += 46 + nameLength
  }
  if (next !== list || at !== end) fail('the zip has bytes that belong to no file')
  return files
}

function unpacked(name, bytes, method) {
  if (method === 0) return bytes
  const taken = inflated(name, bytes)
  if (taken.engine.bytesWritten !== bytes.length) fail(`${name}: the zip has bytes that belong to no file`)
  return taken.buffer
}

function inflated(name, bytes) {
  try {
    return inflateRawSync(bytes, { info: true })
  } catch {
    return fail(`${name}: it cannot be unpacked`)
  }
}

function parsed(files, name) {
  const bytes = files.get(name) ?? fail(`${name}: it is missing`)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return fail(`${name}: it is not readable`)
  }
}

/** Public keys by their id, which is made of the key itself. */
function keysIn(files) {
  const keys = new Map()
  for (const { key, spki } of parsed(files, 'keys.json')) {
    const der = Buffer.from(spki, 'base64')
    if (sha256(der).slice(0, 16) !== key) fail(`keys.json: ${key} is not the id of its key`)
    keys.set(key, createPublicKey({ key: der, format: 'der', type: 'spki' }))
  }
  return keys
}

const isSigned = (keys, bytes, { key, signature }) => keys.has(key) && verify(null, Buffer.from(bytes), keys.get(key), Buffer.from(signature, 'base64'))

/** The manifest, once its signature and every file that it lists are checked. */
function manifestOf(files, wanted) {
  const keys = keysIn(files)
  const text = files.get('manifest.json')?.toString('utf8') ?? fail('manifest.json: it is missing')
  const signature = parsed(files, 'signature.json')
  if (wanted && signature.key !== wanted) fail(`signature.json: signed by the key ${signature.key}, not by ${wanted}`)
  if (!isSigned(keys, `paydesk-manifest-1\n${text}`, signature)) fail('manifest.json: it was changed after it was signed')
  const manifest = JSON.parse(text)
  const listed = new Set(['manifest.json', 'signature.json'])
  for (const { name, size, sha256: hash } of manifest.files) {
    listed.add(name)
    const bytes = files.get(name) ?? fail(`${name}: it is missing`)
    if (bytes.length !== size || sha256(bytes) !== hash) fail(`${name}: it was changed after it was signed`)
  }
  for (const name of files.keys()) if (!listed.has(name)) fail(`${name}: it was added after the rest was signed`)
  return { manifest, keys }
}

const linkHash = ({ seq, prev, body }) => sha256(`paydesk-audit-1\n${seq}\n${prev}\n${body}`)

const linesOf = (bytes) => bytes.toString('utf8').split('\n').filter(Boolean)

function rowsOf(bytes) {
  return linesOf(bytes).map((line, at) => {
    try {
      return JSON.parse(line)
    } catch {
      return fail(`audit.jsonl: line ${at + 1} is not readable`)
    }
  })
}

/** Checks each row by itself, and of a whole chain that each follows from the one before it. */
function checkRows(rows, whole) {
  let before = { seq: 0, hash: '' }
  for (const row of rows) {
    if (row.hash !== linkHash(row)) fail(`row ${row.seq}: its content was changed`)
    if (whole && row.seq !== before.seq + 1) fail(`row ${before.seq + 1}: it is missing`)
    if (whole && row.prev !== before.hash) fail(`row ${row.seq}: it does not follow from the row before it`)
    if (row.seq <= before.seq) fail(`row ${row.seq}: it is not in order`)
    before = row
  }
}

/** What of a head is signed; heads of before they were a chain themselves have no place in one. */
const signedOf = ({ origin, seq, hash, at, file, count, prev }) =>
  count === undefined
    ? `paydesk-audit-head-1\n${origin}\n${seq}\n${hash}\n${at}`
    : `paydesk-audit-head-2\n${origin}\n${seq}\n${hash}\n${at}\n${file}\n${count}\n${prev}`

/** Checks that no head of an installation's own file is missing before its last. */
function checkLinks(heads) {
  heads.forEach((head, at) => {
    const before = heads[at - 1]
    if (head.count === undefined ? before?.count !== undefined : head.count !== at + 1) fail(`head of row ${head.seq}: the one before it is missing`)
    const link = before ? sha256(`${signedOf(before)}\n${before.signature}`) : ''
    if (head.count !== undefined && head.prev !== link) fail(`head of row ${head.seq}: the one before it was changed`)
  })
}

/** Compares rows with heads that were signed while the chain grew. */
function checkHeads(rows, heads, { keys, whole, madeAt }) {
  const bySeq = new Map(rows.map(({ seq, hash }) => [seq, hash]))
  const last = rows.at(-1)?.seq ?? 0
  for (const head of heads) {
    const { origin, seq, hash, at } = head
    if (!isSigned(keys, signedOf(head), head)) fail(`head of row ${seq}: none of the keys signed it`)
    if (whole && origin !== rows[0]?.hash) fail(`head of row ${seq}: it is of another chain`)
    // What was signed later than the bundle was made cannot be in it.
    if (whole && seq > last && at <= madeAt) fail(`row ${seq}: the chain was cut before it, which was there when its head was signed`)
    if (bySeq.has(seq) && bySeq.get(seq) !== hash) fail(`row ${seq}: it was rewritten since its head was signed`)
  }
}

const headsIn = (bytes) =>
  linesOf(bytes).map((line) => {
    try {
      return JSON.parse(line)
    } catch {
      return fail('a signed head is not readable')
    }
  })

/** Checks a bundle; gives what it holds, in lines. Throws `Broken` with the first thing that is wrong. */
export function verifyBundle(zip, { key, heads } = {}) {
  const files = filesOf(zip)
  const { manifest, keys } = manifestOf(files, key)
  const whole = manifest.whole === true
  const rows = rowsOf(files.get('audit.jsonl') ?? fail('audit.jsonl: it is missing'))
  checkRows(rows, whole)
  const own = headsIn(heads ?? Buffer.alloc(0))
  checkLinks(own)
  const kept = [...headsIn(files.get('heads.jsonl') ?? Buffer.alloc(0)), ...own]
  checkHeads(rows, kept, { keys, whole, madeAt: manifest.made_at })
  return [
    `${manifest.format}, made ${manifest.made_at}`,
    `signed by the key ${manifest.key}${key ? '' : ': compare it with the one that the audit page shows'}`,
    `${manifest.files.length} files as they were signed`,
    whole ? `${rows.length} rows, each linked to the one before it` : `${rows.length} rows of the audit, each as it was written`,
    `${kept.length} signed heads`,
  ]
}

const optionOf = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined)

function main() {
  const [, , bundle] = argv
  if (!bundle || bundle.startsWith('--')) {
    stdout.write('use: node verify-paydesk.mjs BUNDLE.zip [--key KEY] [--heads audit-heads.jsonl]\n')
    return 2
  }
  try {
    const heads = optionOf('--heads')
    const lines = verifyBundle(readFileSync(bundle), { key: optionOf('--key'), heads: heads && readFileSync(heads) })
    stdout.write(`holds: ${lines.join('; ')}\n`)
    return 0
  } catch (error) {
    stdout.write(`BROKEN: ${error instanceof Error ? error.message : 'unknown reason'}\n`)
    return 1
  }
}

// Run by its name, and not read in by something else.
if (argv[1]?.endsWith('verify-paydesk.mjs')) exit(main())
