import { createDocx } from './docx-writer'
import type { ZipPart } from './zip-writer'

export const createDocxWithPart = (part: ZipPart) => () => createDocx([part])
export const createDocxWithReplacedPart = (name: string, data: string) => () =>
  createDocx([{ name, data }])
