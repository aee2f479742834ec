import { badDocs, goodDocs } from './doc'
import { badDocxs } from './docx-bad'
import { goodDocxs } from './docx-good'
import { badJpegs, goodJpegs } from './jpeg'
import { badPdfs } from './pdf-bad'
import { goodPdfs } from './pdf-good'
import { badPngs, goodPngs } from './png'
import { badThirdPartyFiles, goodThirdPartyFiles } from './program-files'
import type { SampleFile } from './sample'

/** Valid files, as common programs write them. */
export const goodFiles: SampleFile[] = [
  ...goodPdfs,
  ...goodPngs,
  ...goodJpegs,
  ...goodDocs,
  ...goodDocxs,
  ...goodThirdPartyFiles,
]

/** Files that the upload check must refuse, each with the id of its problem. */
export const badFiles: SampleFile[] = [
  ...badPdfs,
  ...badPngs,
  ...badJpegs,
  ...badDocs,
  ...badDocxs,
  ...badThirdPartyFiles,
]
