extension RPCSpecification {
    /// The structures up to MassageCushionFirmness: the name, then the parameters.
    static let structures1 = """
        AirbagStatus: driverAirbagDeployed! VehicleDataEventStatus,
          driverSideAirbagDeployed! VehicleDataEventStatus,
          driverCurtainAirbagDeployed! VehicleDataEventStatus,
          passengerAirbagDeployed! VehicleDataEventStatus,
          passengerCurtainAirbagDeployed! VehicleDataEventStatus,
          driverKneeAirbagDeployed! VehicleDataEventStatus,
          passengerSideAirbagDeployed! VehicleDataEventStatus,
          passengerKneeAirbagDeployed! VehicleDataEventStatus
        AppCapability: appCapabilityType! AppCapabilityType,
          videoStreamingCapability VideoStreamingCapability
        AppInfo: appDisplayName! S100, appBundleID! S256, appVersion! S256, appIcon S500
        AppServiceCapability: updateReason ServiceUpdateReason,
          updatedAppServiceRecord! AppServiceRecord
        AppServiceData: serviceType! S, serviceID! S, mediaServiceData MediaServiceData,
          weatherServiceData WeatherServiceData, navigationServiceData NavigationServiceData
        AppServiceManifest: serviceName S, serviceType! S, serviceIcon Image, allowAppConsumers B,
          rpcSpecVersion SyncMsgVersion, handledRPCs [I], mediaServiceManifest MediaServiceManifest,
          weatherServiceManifest WeatherServiceManifest,
          navigationServiceManifest NavigationServiceManifest
        AppServiceRecord: serviceID! S, serviceManifest! AppServiceManifest, servicePublished! B,
          serviceActive! B
        AppServicesCapabilities: appServices [AppServiceCapability]
        AudioControlCapabilities: moduleName! S100, moduleInfo ModuleInfo, sourceAvailable B,
          keepContextAvailable B, volumeAvailable B, equalizerAvailable B,
          equalizerMaxChannelId I1:100
        AudioControlData: source PrimaryAudioSource, keepContext B, volume I0:100,
          equalizerSettings [EqualizerSettings]1:100
        AudioPassThruCapabilities: samplingRate! SamplingRate, bitsPerSample! BitsPerSample,
          audioType! AudioType
        BeltStatus: driverBeltDeployed! VehicleDataEventStatus,
          passengerBeltDeployed! VehicleDataEventStatus,
          passengerBuckleBelted! VehicleDataEventStatus, driverBuckleBelted! VehicleDataEventStatus,
          leftRow2BuckleBelted! VehicleDataEventStatus,
          passengerChildDetected! VehicleDataEventStatus,
          rightRow2BuckleBelted! VehicleDataEventStatus,
          middleRow2BuckleBelted! VehicleDataEventStatus,
          middleRow3BuckleBelted! VehicleDataEventStatus,
          leftRow3BuckleBelted! VehicleDataEventStatus,
          rightRow3BuckleBelted! VehicleDataEventStatus,
          leftRearInflatableBelted! VehicleDataEventStatus,
          rightRearInflatableBelted! VehicleDataEventStatus,
          middleRow1BeltDeployed! VehicleDataEventStatus,
          middleRow1BuckleBelted! VehicleDataEventStatus
        BodyInformation: parkBrakeActive! B, ignitionStableStatus! IgnitionStableStatus,
          ignitionStatus! IgnitionStatus, driverDoorAjar B, passengerDoorAjar B, rearLeftDoorAjar B,
          rearRightDoorAjar B, doorStatuses [DoorStatus]0:100, gateStatuses [GateStatus]0:100,
          roofStatuses [RoofStatus]0:100
        ButtonCapabilities: name! ButtonName, moduleInfo ModuleInfo, shortPressAvailable! B,
          longPressAvailable! B, upDownAvailable! B
        Choice: choiceID! I0:65535, menuName! S500, vrCommands [S99]1:100, image Image,
          secondaryText S500, tertiaryText S500, secondaryImage Image
        ClimateControlCapabilities: moduleName! S100, moduleInfo ModuleInfo,
          currentTemperatureAvailable B, fanSpeedAvailable B, desiredTemperatureAvailable B,
          acEnableAvailable B, acMaxEnableAvailable B, circulateAirEnableAvailable B,
          autoModeEnableAvailable B, dualModeEnableAvailable B, defrostZoneAvailable B,
          defrostZone [DefrostZone]1:100, ventilationModeAvailable B,
          ventilationMode [VentilationMode]1:100, heatedSteeringWheelAvailable B,
          heatedWindshieldAvailable B, heatedRearWindowAvailable B, heatedMirrorsAvailable B,
          climateEnableAvailable B
        ClimateControlData: fanSpeed I0:100, currentTemperature Temperature,
          desiredTemperature Temperature, acEnable B, circulateAirEnable B, autoModeEnable B,
          defrostZone DefrostZone, dualModeEnable B, acMaxEnable B, ventilationMode VentilationMode,
          heatedSteeringWheelEnable B, heatedWindshieldEnable B, heatedRearWindowEnable B,
          heatedMirrorsEnable B, climateEnable B
        ClimateData: externalTemperature Temperature, cabinTemperature Temperature,
          atmosphericPressure F0:2000
        CloudAppProperties: nicknames [S100]0:100, appID! S100, enabled B, authToken S65535,
          cloudTransportType S100, hybridAppPreference HybridAppPreference, endpoint S65535
        ClusterModeStatus: powerModeActive! B,
          powerModeQualificationStatus! PowerModeQualificationStatus, carModeStatus! CarModeStatus,
          powerModeStatus! PowerModeStatus
        Coordinate: latitudeDegrees! F-90:90, longitudeDegrees! F-180:180
        DIDResult: resultCode! VehicleDataResultCode, didLocation! I0:65535, data S5000
        DateTime: millisecond I0:999, second I0:60, minute I0:59, hour I0:23, day I1:31,
          month I1:12, year I:4095, tz_hour I-12:14, tz_minute I0:59
        DeviceInfo: hardware S500, firmwareRev S500, os S500, osVersion S500, carrier S500,
          maxNumberRFCOMMPorts I0:100
        DeviceStatus: voiceRecOn! B, btIconOn! B, callActive! B, phoneRoaming! B,
          textMsgAvailable! B, battLevelStatus! DeviceLevelStatus, stereoAudioOutputMuted! B,
          monoAudioOutputMuted! B, signalLevelStatus! DeviceLevelStatus,
          primaryAudioSource! PrimaryAudioSource, eCallEventActive! B
        DisplayCapabilities: displayType! DisplayType, displayName S, textFields! [TextField]1:100,
          imageFields [ImageField]1:100, mediaClockFormats! [MediaClockFormat]0:100,
          graphicSupported! B, templatesAvailable [S100]0:100, screenParams ScreenParams,
          numCustomPresetsAvailable I1:100
        DisplayCapability: displayName S, windowTypeSupported [WindowTypeCapabilities]1:,
          windowCapabilities [WindowCapability]1:1000
        DoorStatus: location! Grid, status! DoorStatusType
        DriverDistractionCapability: menuLength I, subMenuDepth I1:
        DynamicUpdateCapabilities: supportedDynamicImageFieldNames [ImageFieldName]1:,
          supportsDynamicSubMenus B
        ECallInfo: eCallNotificationStatus! VehicleDataNotificationStatus,
          auxECallNotificationStatus! VehicleDataNotificationStatus,
          eCallConfirmationStatus! ECallConfirmationStatus
        EmergencyEvent: emergencyEventType! EmergencyEventType, fuelCutoffStatus! FuelCutoffStatus,
          rolloverEvent! VehicleDataEventStatus, maximumChangeVelocity! I0:255,
          multipleEvents! VehicleDataEventStatus
        EqualizerSettings: channelId! I1:100, channelName S50, channelSetting! I0:100
        FuelRange: type FuelType, range F0:10000, level F-6:1000000,
          levelState ComponentVolumeStatus, capacity F0:1000000, capacityUnit CapacityUnit
        GPSData: longitudeDegrees! F-180:180, latitudeDegrees! F-90:90, utcYear I2010:2100,
          utcMonth I1:12, utcDay I1:31, utcHours I0:23, utcMinutes I0:59, utcSeconds I0:59,
          compassDirection CompassDirection, pdop F0:1000, hdop F0:1000, vdop F0:1000, actual B,
          satellites I0:31, dimension Dimension, altitude F-10000:10000, heading F0:359.99,
          speed F0:500, shifted B
        GateStatus: location! Grid, status! DoorStatusType
        GearStatus: userSelectedGear PRNDL, actualGear PRNDL, transmissionType TransmissionType
        Grid: col! I-1:100, row! I-1:100, level I-1:100, colspan I1:100, rowspan I1:100,
          levelspan I1:100
        HMICapabilities: navigation B, phoneCall B, videoStreaming B, remoteControl B,
          appServices B, displays B, seatLocation B, driverDistraction B
        HMIPermissions: allowed! [HMILevel]0:100, userDisallowed! [HMILevel]0:100
        HMISettingsControlCapabilities: moduleName! S100, moduleInfo ModuleInfo,
          distanceUnitAvailable B, temperatureUnitAvailable B, displayModeUnitAvailable B
        HMISettingsControlData: displayMode DisplayMode, temperatureUnit TemperatureUnit,
          distanceUnit DistanceUnit
        HapticRect: id! I0:2000000000, rect! Rectangle
        HeadLampStatus: lowBeamsOn! B, highBeamsOn! B, ambientLightSensorStatus AmbientLightStatus
        Image: value! S65535, imageType! ImageType, isTemplate B
        ImageField: name! ImageFieldName, imageTypeSupported! [FileType]1:100,
          imageResolution ImageResolution
        ImageResolution: resolutionWidth! I1:10000, resolutionHeight! I1:10000
        KeyboardCapabilities: maskInputCharactersSupported B,
          supportedKeyboards [KeyboardLayoutCapability]1:1000
        KeyboardLayoutCapability: keyboardLayout! KeyboardLayout, numConfigurableKeys! I0:10
        KeyboardProperties: language Language, keyboardLayout KeyboardLayout,
          keypressMode KeypressMode, limitedCharacterList [S1]1:100, autoCompleteText S1000,
          autoCompleteList [S1000]0:100, maskInputCharacters KeyboardInputMask, customKeys [S1]1:10
        LightCapabilities: name! LightName, statusAvailable B, densityAvailable B,
          rgbColorSpaceAvailable B
        LightControlCapabilities: moduleName! S100, moduleInfo ModuleInfo,
          supportedLights! [LightCapabilities]1:100
        LightControlData: lightState! [LightState]1:100
        LightState: id! LightName, status! LightStatus, density F0:1, color RGBColor
        LocationDetails: coordinate Coordinate, locationName S500, addressLines [S500]0:4,
          locationDescription S500, phoneNumber S500, locationImage Image,
          searchAddress OASISAddress
        MassageCushionFirmness: cushion! MassageCushion, firmness! I0:100
        """
}
