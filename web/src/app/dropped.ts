/** A file that was dropped on the page, with its path inside what was dropped. */
export interface Dropped {
  path: string;
  file: File;
}

/** More than this is somebody's whole disk, dropped by mistake. */
const MOST = 500;

/** All files of a drop, those in dropped folders too. Must be called while the drop event is handled. */
export async function droppedFiles(data: DataTransfer): Promise<Dropped[]> {
  // The items are only there until the first wait. What a script put together has files but no entries.
  const items = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: Dropped[] = [];
  for (const { entry, file } of items) {
    if (entry) await gather(entry, "", found);
    else if (file) found.push({ path: file.name, file });
  }
  return found;
}

async function gather(entry: FileSystemEntry, within: string, found: Dropped[]): Promise<void> {
  if (found.length >= MOST || entry.name.startsWith(".")) return;
  const path = within + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives a hundred entries at a time, and none when there are no more.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const each of some) await gather(each, `${path}/`, found);
  }
}
