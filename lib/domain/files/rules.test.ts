import { describe, expect, test } from 'vitest'
import { formatFileSize } from '@/lib/formats'
import { findFirstBytesProblem, findNameOrSizeProblem, getExtension, maxFileSize } from './rules'

const toBytes = (text: string, prefixBytes: number[] = []) =>
  new Uint8Array([...prefixBytes, ...Array.from(text, (letter) => letter.charCodeAt(0))])
const zipMagicBytes = [0x50, 0x4b, 0x03, 0x04]
const oleMagicBytes = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const findFileProblem = (name: string, bytes: Uint8Array) =>
  findNameOrSizeProblem(name, bytes.length) ?? findFirstBytesProblem(name, bytes)

describe('file names that match their first bytes', () => {
  test.each([
    ['proof.pdf', toBytes('%PDF-1.7')],
    ['scan.PNG', toBytes('', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])],
    ['photo.jpg', toBytes('x', [0xff, 0xd8, 0xff])],
    ['photo.jpeg', toBytes('x', [0xff, 0xd8, 0xff])],
    ['letter.doc', toBytes('', oleMagicBytes)],
    ['letter.docx', toBytes('', zipMagicBytes)],
  ])('%s', (name, bytes) => {
    expect(findFileProblem(name, bytes)).toBeNull()
  })
})

describe('file names that do not match their content', () => {
  test.each([
    ['notes.txt', toBytes('hello'), 'ending'],
    ['noending', toBytes('%PDF-1.7'), 'ending'],
    ['.pdf', toBytes('%PDF-1.7'), 'ending'],
    ['empty.pdf', new Uint8Array(), 'empty'],
    ['image.pdf', toBytes('x', [0xff, 0xd8, 0xff]), 'kind'],
    ['text.pdf', toBytes('hello'), 'kind'],
    ['locked.docx', toBytes('EncryptedPackage', oleMagicBytes), 'password'],
  ])('%s', (name, bytes, id) => {
    const problem = findFileProblem(name, bytes)
    expect(problem?.id).toBe(id)
    expect(problem?.fix).not.toBe('')
  })
})

test('the size limit is exact to the byte', () => {
  expect(findNameOrSizeProblem('a.pdf', maxFileSize)).toBeNull()
  expect(findNameOrSizeProblem('a.pdf', maxFileSize + 1)?.reason).toContain('1 bytes over')
  expect(findNameOrSizeProblem('a.pdf', maxFileSize * 2)?.reason).toContain('20.0 MB, 10.0 MB over')
})

test('file endings are lower-cased and sizes have units', () => {
  expect(getExtension('Proof.Final.PDF')).toBe('pdf')
  expect(formatFileSize(640)).toBe('640 bytes')
  expect(formatFileSize(85_000)).toBe('83 kB')
})
