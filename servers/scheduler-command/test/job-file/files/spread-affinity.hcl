job "placed" {
  datacenters = ["*"]
  affinity {
    attribute = "${meta.rack}"
    value     = "r1"
  }
  spread {
    attribute = "${node.datacenter}"
    target "dc1" { percent = 70 }
    target "dc2" { percent = 30 }
  }
  group "g" {
    count = 6
    affinity {
      attribute = "${attr.cpu.arch}"
      operator  = "regexp"
      value     = "arm.*"
    }
    spread { attribute = "${meta.zone}" }
    task "t" {
      driver = "docker"
      config { image = "busybox" }
      affinity {
        attribute = "${node.class}"
        value     = "ssd"
        weight    = -20
      }
    }
  }
}
