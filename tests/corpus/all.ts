import { badDocs, goodDocs } from './doc'
import { badDocxs } from './docx-bad'
import { goodDocxs } from './docx-good'
import { badJpegs, goodJpegs } from './jpeg'
import { badPdfs } from './pdf-bad'
import { goodPdfs } from './pdf-good'
import { badPngs, goodPngs } from './png'
import { badProgramFiles, goodProgramFiles } from './program-files'
import type { Sample } from './sample'

/** Valid files, as common programs write them. */
export const goodFiles: Sample[] = [...goodPdfs, ...goodPngs, ...goodJpegs, ...goodDocs, ...goodDocxs, ...goodProgramFiles]

/** Files that must be refused, each with the id of its problem. */
export const badFiles: Sample[] = [...badPdfs, ...badPngs, ...badJpegs, ...badDocs, ...badDocxs, ...badProgramFiles]
