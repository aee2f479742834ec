import 'server-only'
import { createHash, type Hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import canonicalize from 'canonicalize'
import { Zip, ZipDeflate } from 'fflate'
import { getPublicKey, listTrustedKeys, signBytes } from './signing'

/**
 * The fields of `manifest.json` that the caller provides. The signing key and the list of files are
 * added to them.
 */
export type Manifest = {
  format: 'paydesk-audit-1' | 'paydesk-evidence-1'
  made_at: string
} & Record<string, unknown>

/** A file of the zip. Its content is streamed, so that large files need little memory. */
export type BundleFile = {
  name: string
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

type ListedFile = { name: string; size: number; sha256: string }

/**
 * Returns the bytes that are signed. The prefix names their purpose, so that a signature of
 * anything else is not valid for a manifest.
 */
const toSignedBytes = (manifestJson: string): Buffer =>
  Buffer.from(`paydesk-manifest-1\n${manifestJson}`)

const getVerifierPath = () => path.join(process.cwd(), 'public', 'verify-paydesk.mjs')

const readmeText = `This file was made by Paydesk and can be checked without it. It takes Node 20 or later:

  node verify-paydesk.mjs BUNDLE.zip --key KEY

KEY is the id of the signing key, 16 hex digits, as the audit page of the installation shows it. Take it from there and not from this file.
Without --key the check says which key signed, and that is left for you to compare. Better than the copy of verify-paydesk.mjs in here is one that
you got earlier.
`

/**
 * Builds a zip file by file. The methods yield the zip's bytes as soon as they exist. `listed` has
 * the size and hash of each file.
 */
class ZipCollector {
  readonly listed: ListedFile[] = []
  private readonly chunks: Uint8Array[] = []
  private failed: Error | null = null
  private readonly zip = new Zip((error, chunk) => {
    if (error) this.failed = error
    else this.chunks.push(chunk)
  })

  /** Returns the zip's bytes that were produced since the last call. */
  taken(): Uint8Array[] {
    if (this.failed) throw this.failed
    return this.chunks.splice(0)
  }

  async *add({ name, parts }: BundleFile): AsyncGenerator<Uint8Array> {
    const file = new ZipDeflate(name, { level: 6 })
    this.zip.add(file)
    const hash: Hash = createHash('sha256')
    let size = 0
    for await (const fileChunk of parts) {
      const bytes = typeof fileChunk === 'string' ? Buffer.from(fileChunk) : fileChunk
      hash.update(bytes)
      size += bytes.length
      file.push(new Uint8Array(bytes))
      yield* this.taken()
    }
    file.push(new Uint8Array(0), true)
    this.listed.push({ name, size, sha256: hash.digest('hex') })
    yield* this.taken()
  }

  *end(): Generator<Uint8Array> {
    this.zip.end()
    yield* this.taken()
  }
}

/**
 * Streams a zip of the given files with `manifest.json`, which lists each file's size and hash, and
 * `signature.json`, which signs the manifest (decision 053). The function that returns the
 * manifest's other fields is called after the files, so that these fields can describe them.
 */
export async function* createSignedZip(
  files: readonly BundleFile[],
  createManifest: () => Manifest,
): AsyncGenerator<Uint8Array> {
  const collector = new ZipCollector()
  const metadataFiles: BundleFile[] = [
    { name: 'keys.json', parts: [JSON.stringify(listTrustedKeys(), null, 2)] },
    { name: 'verify-paydesk.mjs', parts: [await readFile(getVerifierPath())] },
    { name: 'README.txt', parts: [readmeText] },
  ]
  for (const file of [...files, ...metadataFiles]) yield* collector.add(file)
  const text =
    canonicalize({ ...createManifest(), key: getPublicKey().key, files: collector.listed }) ?? '{}'
  yield* collector.add({ name: 'manifest.json', parts: [text] })
  yield* collector.add({
    name: 'signature.json',
    parts: [JSON.stringify(signBytes(toSignedBytes(text)))],
  })
  yield* collector.end()
}
