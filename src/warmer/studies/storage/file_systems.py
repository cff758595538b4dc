"""Which files lie on another machine."""

from pathlib import Path

_NETWORK = frozenset(
    {
        *("9p", "afs", "beegfs", "ceph", "cifs", "davfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4"),
        *("fuse.davfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "smb2", "smb3", "smbfs"),
    }
)


def network_file_system(path: Path, mounts: Path = Path("/proc/self/mounts")) -> str | None:
    r"""The kind of network file system that holds this path; None for a local disk, and where nobody can tell.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mounts = Path(folder) / "mounts"
    ...     _ = mounts.write_text("/dev/sda1 / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n")
    ...     network_file_system(Path("/home/ada/lab.db"), mounts), network_file_system(Path("/homes/lab.db"), mounts)
    ('nfs4', None)
    """
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return None
    place, kinds = path.absolute(), {}
    for line in lines:
        _, folder, kind, *_ = line.split(" ")
        if place.is_relative_to(folder.replace("\\040", " ")):
            kinds[len(folder)] = kind  # of several mounts on one folder the last one is seen
    kind = kinds[max(kinds)] if kinds else ""
    return kind if kind in _NETWORK else None
