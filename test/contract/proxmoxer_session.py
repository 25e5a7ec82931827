"""One session of proxmoxer, unmodified: URL, PASSWORD, TOKEN ID and TOKEN SECRET are the arguments.

Prints one JSON object of what it saw. Any failure is an exception.
"""

import io
import json
import sys
import urllib.parse

from proxmoxer import ProxmoxAPI, ResourceException
from proxmoxer.tools import Tasks

url, password, token, secret = sys.argv[1:]
server = urllib.parse.urlsplit(url)
user, token_name = token.split("!")
seen = {}


def connect(**credentials):
    return ProxmoxAPI(server.hostname, port=server.port, user=user, verify_ssl=False, **credentials)


def finish(api, upid):
    status = Tasks.blocking_status(api, upid, timeout=60, polling_interval=0.05)
    return status["exitstatus"]


def session(api, vmid):
    saw = {}
    saw["nodes"] = sorted(node["node"] for node in api.nodes.get())
    node = api.nodes(saw["nodes"][0])
    saw["guests"] = sorted(guest["vmid"] for guest in node.qemu.get())
    saw["create"] = finish(
        api,
        node.qemu.create(
            vmid=vmid, name="made", cores=2, memory=512, net0="virtio,bridge=vmbr0", scsi0="local-lvm:1"
        ),
    )
    node.qemu(vmid).config.put(description="a text; with = and ä", tags="b;a")
    config = node.qemu(vmid).config.get()
    saw["config"] = {key: config[key] for key in ("name", "cores", "memory", "description", "tags", "scsi0")}
    saw["clone"] = finish(api, node.qemu(9000).clone.create(newid=vmid + 1, name="copy", full=1))
    saw["copy"] = node.qemu(vmid + 1).config.get()["name"]
    saw["start"] = finish(api, node.qemu(vmid).status.start.post())
    saw["status"] = node.qemu(vmid).status.current.get()["status"]
    saw["stop"] = finish(api, node.qemu(vmid).status.stop.post())
    image = io.BytesIO(b"an image" * 1000)
    image.name = "of-%d.iso" % vmid
    saw["upload"] = finish(api, node.storage("local").upload.create(content="iso", filename=image))
    saw["isos"] = [
        item["volid"]
        for item in node.storage("local").content.get(content="iso")
        if item["volid"].endswith(image.name)
    ]
    for each in (vmid, vmid + 1):
        saw["delete %d" % each] = finish(api, node.qemu(each).delete(purge=1))
    try:
        node.qemu(vmid).config.get()
    except ResourceException as error:
        saw["gone"] = "%s %s" % (error.status_code, error.content)
    return saw


seen["password"] = session(connect(password=password), 700)
seen["token"] = session(connect(token_name=token_name, token_value=secret), 800)
print(json.dumps(seen))
