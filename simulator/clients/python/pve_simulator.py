"""A Proxmox VE cluster in memory, for tests: in a container, or as a process."""

import hashlib
import json
import re
import ssl
import subprocess
import urllib.request
from dataclasses import dataclass
from urllib.parse import urlsplit

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

PORT = 8006


@dataclass(frozen=True)
class Access:
    """What a client needs to reach the cluster."""

    url: str
    ca: str
    """The authority of its certificate, PEM: ssl.create_default_context(cadata=access.ca)."""
    user: str
    password: str
    token_id: str
    token_secret: str

    @property
    def authorization(self) -> str:
        """The value of the header Authorization."""
        return f"PVEAPIToken={self.token_id}={self.token_secret}"


def access_to(url: str, line: str) -> Access:
    """Makes access of a URL and of the line that the program prints when it listens."""
    said = json.loads(line)
    return Access(
        url=url,
        ca=_authority(url, said["fingerprint"]),
        user=said["user"],
        password=said["password"],
        token_id=said["tokenId"],
        token_secret=said["tokenSecret"],
    )


def _authority(url: str, fingerprint: str) -> str:
    """The authority, from a server that is known by its fingerprint alone."""
    parts = urlsplit(url)
    shown = ssl.get_server_certificate((parts.hostname, parts.port))
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(shown)).hexdigest().upper()
    if digest != fingerprint.replace(":", ""):
        raise RuntimeError(f"{url} shows the fingerprint {digest}, and its log says {fingerprint}")
    unverified = ssl._create_unverified_context()
    with urllib.request.urlopen(f"{url}/_sim/ca", context=unverified, timeout=10) as answer:
        ca = answer.read().decode()
    # what was read without trust must vouch for the certificate that the fingerprint names
    trusting = ssl.create_default_context(cadata=ca)
    with urllib.request.urlopen(f"{url}/_sim/health", context=trusting, timeout=10):
        return ca


class PveSimulatorContainer(DockerContainer):
    """with PveSimulatorContainer("--world", "homelab") as cluster: cluster.access"""

    def __init__(self, *options: str, image: str = "pve-simulator", **more) -> None:
        super().__init__(image, **more)
        self.with_exposed_ports(PORT).with_command(list(options))
        self.waiting_for(LogMessageWaitStrategy(re.compile('"tokenSecret"')))

    @property
    def access(self) -> Access:
        out, err = self.get_logs()
        line = re.search(r'\{"url".*\}', out.decode())
        if line is None:
            raise RuntimeError(f"the simulator does not listen: {err.decode()}")
        url = f"https://{self.get_container_host_ip()}:{self.get_exposed_port(PORT)}"
        return access_to(url, line.group())


class PveSimulatorProcess:
    """The same without containers, by the program that you name:

    with PveSimulatorProcess("--world", "homelab", program=("node", "pve-simulator.cjs")) as cluster: cluster.access
    """

    def __init__(self, *options: str, program: tuple[str, ...]) -> None:
        self.command = [*program, *options]

    def __enter__(self) -> "PveSimulatorProcess":
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.command} ended with {self.process.wait()}: see above")
        self.access = access_to(json.loads(line)["url"], line)
        self.pid = json.loads(line)["pid"]
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
