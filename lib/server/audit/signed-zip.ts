import 'server-only'
import { createHash, type Hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import canonicalize from 'canonicalize'
import { Zip, ZipDeflate } from 'fflate'
import { getPublicKey, listTrustedKeys, signBytes } from './signing'

/** The signing key and the list of files are added to these fields of `manifest.json`. */
export type Manifest = {
  format: 'paydesk-audit-1' | 'paydesk-evidence-1'
  made_at: string
} & Record<string, unknown>

/** The content is streamed, so that large files need little memory. */
export type BundleFile = {
  name: string
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

type ManifestFile = { name: string; size: number; sha256: string }

/** The prefix names the purpose, so that no other signature is valid for a manifest. */
const toSignedBytes = (manifestJson: string): Buffer =>
  Buffer.from(`paydesk-manifest-1\n${manifestJson}`)

const getVerifierPath = () => path.join(process.cwd(), 'public', 'verify-paydesk.mjs')

const readmeText = `This file was made by Paydesk and can be checked without it. It takes Node 20 or later:

  node verify-paydesk.mjs BUNDLE.zip --key KEY

KEY is the id of the signing key, 16 hex digits, as the audit page of the installation shows it. Take it from there and not from this file.
Without --key the check says which key signed, and that is left for you to compare. Better than the copy of verify-paydesk.mjs in here is one that
you got earlier.
`

/** Builds a zip file by file. The methods yield the zip's bytes as soon as they exist. */
class ZipCollector {
  readonly listed: ManifestFile[] = []
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
    const zipEntry = new ZipDeflate(name, { level: 6 })
    this.zip.add(zipEntry)
    const hash: Hash = createHash('sha256')
    let fileSize = 0
    for await (const fileChunk of parts) {
      const chunkBytes = typeof fileChunk === 'string' ? Buffer.from(fileChunk) : fileChunk
      hash.update(chunkBytes)
      fileSize += chunkBytes.length
      zipEntry.push(new Uint8Array(chunkBytes))
      yield* this.taken()
    }
    zipEntry.push(new Uint8Array(0), true)
    this.listed.push({ name, size: fileSize, sha256: hash.digest('hex') })
    yield* this.taken()
  }

  *end(): Generator<Uint8Array> {
    this.zip.end()
    yield* this.taken()
  }
}

/**
 * `manifest.json` lists each file's size and hash, and `signature.json` signs the manifest
 * (decision 053). `createManifest` is called after the files, so that its fields can describe them.
 */
export async function* createSignedZip(
  files: readonly BundleFile[],
  createManifest: () => Manifest,
): AsyncGenerator<Uint8Array> {
  const zipCollector = new ZipCollector()
  const metadataFiles: BundleFile[] = [
    { name: 'keys.json', parts: [JSON.stringify(listTrustedKeys(), null, 2)] },
    { name: 'verify-paydesk.mjs', parts: [await readFile(getVerifierPath())] },
    { name: 'README.txt', parts: [readmeText] },
  ]
  for (const file of [...files, ...metadataFiles]) yield* zipCollector.add(file)
  const manifestText =
    canonicalize({ ...createManifest(), key: getPublicKey().key, files: zipCollector.listed }) ??
    '{}'
  yield* zipCollector.add({ name: 'manifest.json', parts: [manifestText] })
  yield* zipCollector.add({
    name: 'signature.json',
    parts: [JSON.stringify(signBytes(toSignedBytes(manifestText)))],
  })
  yield* zipCollector.end()
}
