import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { writePrivateFile } from '@/sandbox/store/store'

export type TlsCertificate = { key: string; cert: string }

const tenYearsMs = 10 * 365 * 86_400_000

/** Imports `selfsigned` only when called, because most starts need no certificate. */
async function generateCertificate(hosts: readonly string[]): Promise<TlsCertificate> {
  const { generate } = await import('selfsigned')
  const altNames = hosts.map((host) =>
    isIP(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
  )
  const generatedPems = await generate([{ name: 'commonName', value: 'Payments sandbox' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + tenYearsMs),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { key: generatedPems.private, cert: generatedPems.cert }
}

/**
 * Returns false if the certificate has expired, is for another host, or does not match the key. A
 * process that is killed while it writes the two files leaves files that do not match.
 */
function isCertificateUsable({ key, cert }: TlsCertificate, host: string): boolean {
  const parsedCertificate = new X509Certificate(cert)
  const matchingName = isIP(host)
    ? parsedCertificate.checkIP(host)
    : parsedCertificate.checkHost(host)
  return (
    matchingName !== undefined &&
    Date.parse(parsedCertificate.validTo) > Date.now() &&
    parsedCertificate.checkPrivateKey(createPrivateKey(key))
  )
}

/**
 * Returns the certificate stored in `folder`. Generates a new one if it is missing, expired or for
 * another host. The key is readable by its owner only. Clients must trust the self-signed
 * `tls-cert.pem`.
 */
export async function readOrMakeCertificate(folder: string, host: string): Promise<TlsCertificate> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [keyFile, certFile] = [join(folder, 'tls-key.pem'), join(folder, 'tls-cert.pem')]
  if (existsSync(keyFile) && existsSync(certFile)) {
    const storedCertificate = {
      key: readFileSync(keyFile, 'utf8'),
      cert: readFileSync(certFile, 'utf8'),
    }
    if (isCertificateUsable(storedCertificate, host)) return storedCertificate
  }
  const newCertificate = await generateCertificate([
    ...new Set(['localhost', '127.0.0.1', '::1', host]),
  ])
  writePrivateFile(keyFile, newCertificate.key)
  writeFileSync(certFile, newCertificate.cert, { mode: 0o644 })
  return newCertificate
}
