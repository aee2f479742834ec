import { describe, expect, test } from 'vitest'
import { contentProblem, endingOf, fileProblem, largestFile, nameProblem } from './file-rules'
import { sizeText } from './size-text'

const bytesOf = (text: string, start: number[] = []) => new Uint8Array([...start, ...Array.from(text, (letter) => letter.charCodeAt(0))])
const zip = [0x50, 0x4b, 0x03, 0x04]
const ole = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const wide = (text: string) => Array.from(text, (letter) => `${letter}\0`).join('')

describe('files that may be sent', () => {
  test.each([
    ['proof.pdf', bytesOf('%PDF-1.7 trailer << /Root 1 0 R /EncryptMetadata false >>')],
    ['scan.PNG', bytesOf('', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])],
    ['photo.jpg', bytesOf('x', [0xff, 0xd8, 0xff])],
    ['photo.jpeg', bytesOf('x', [0xff, 0xd8, 0xff])],
    ['letter.doc', bytesOf('WordDocument', ole)],
    ['letter.docx', bytesOf('[Content_Types].xml word/document.xml', zip)],
  ])('%s', (name, bytes) => {
    expect(fileProblem(name, bytes)).toBeNull()
  })
})

describe('files that may not', () => {
  test.each([
    ['notes.txt', bytesOf('hello'), 'ending'],
    ['noending', bytesOf('%PDF-1.7'), 'ending'],
    ['.pdf', bytesOf('%PDF-1.7'), 'ending'],
    ['empty.pdf', new Uint8Array(), 'empty'],
    ['image.pdf', bytesOf('x', [0xff, 0xd8, 0xff]), 'kind'],
    ['text.pdf', bytesOf('hello'), 'kind'],
    ['locked.pdf', bytesOf('%PDF-1.7 trailer << /Encrypt 12 0 R >>'), 'password'],
    ['locked.docx', bytesOf('EncryptedPackage', ole), 'password'],
    ['macro.docx', bytesOf('word/document.xml word/vbaProject.bin', zip), 'macros'],
    ['macro.doc', bytesOf(wide('_VBA_PROJECT'), ole), 'macros'],
    ['sheet.docx', bytesOf('xl/workbook.xml', zip), 'kind'],
  ])('%s', (name, bytes, id) => {
    const problem = fileProblem(name, bytes)
    expect(problem?.id).toBe(id)
    expect(problem?.fix).not.toBe('')
  })
})

test('the limit is met to the byte', () => {
  expect(nameProblem('a.pdf', largestFile)).toBeNull()
  expect(nameProblem('a.pdf', largestFile + 1)?.reason).toContain('1 bytes over')
  expect(nameProblem('a.pdf', largestFile * 2)?.reason).toContain('20.0 MB, 10.0 MB over')
})

test('the bytes are left as they are', () => {
  const bytes = bytesOf('%PDF-1.7 body')
  const copy = bytes.slice()
  contentProblem('a.pdf', bytes)
  expect(bytes).toEqual(copy)
})

test('endings and sizes read as people write them', () => {
  expect(endingOf('Proof.Final.PDF')).toBe('pdf')
  expect(sizeText(640)).toBe('640 bytes')
  expect(sizeText(85_000)).toBe('83 kB')
})
